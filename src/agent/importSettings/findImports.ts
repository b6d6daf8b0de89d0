import * as l10n from '../../util/l10n';
import { constants, open, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { guardPath } from '../../workspace/paths/guardPath';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import { ordinaryRoots } from '../../workspace/paths/ordinaryRoots';
import { withDistinctNames } from '../../workspace/paths/roots';
import type { Root } from '../../workspace/ports';
import { createNodeFileSystem } from '../../workspace/node/files/nodeFileSystem';
import { messageOf } from '../../util/errors';
import { refused, type ImportItem, type ImportPlace } from './importItem';
import { importPlaces, type ImportMachine, type KnownPlace } from './importPlaces';
import { modelItem } from './modelItem';
import { MAX_FOREIGN_CHARACTERS } from './readForeign';

const MAX_FILES_OF_FOLDER = 60;

/** A model file in the folder of Ollama or LM Studio. */
export interface ModelOnDisk {
  readonly from: string;
  readonly name: string;
  readonly file: string;
}

/** Reads the settings of other programs. Changes nothing and never rejects. A file that cannot be read is an item too. */
export async function findImports(
  machine: ImportMachine,
  models: readonly ModelOnDisk[],
): Promise<readonly ImportItem[]> {
  const items: ImportItem[] = [];
  const named = machine.workspaceFolders.map((each) => ({ name: path.basename(each), path: each }));
  const roots = withDistinctNames(ordinaryRoots(named));
  for (const known of importPlaces({ ...machine, workspaceFolders: roots.map((root) => root.path) })) {
    for (const file of await filesOf(known)) items.push(...(await readItems(known, file, machine.home, roots)));
  }
  return [...items, ...models.map((model) => onDisk(model, machine.home))];
}

async function filesOf({ path: place, names }: KnownPlace): Promise<readonly string[]> {
  if (names === undefined) return [place];
  const entries = await readdir(place).catch((): string[] => []);
  return entries
    .filter((name) => names.test(name))
    .toSorted()
    .slice(0, MAX_FILES_OF_FOLDER)
    .map((name) => path.join(place, name));
}

async function readItems(
  known: KnownPlace,
  file: string,
  home: string,
  roots: readonly Root[],
): Promise<readonly ImportItem[]> {
  const place: ImportPlace = { from: known.from, file, folder: known.folder, home };
  try {
    const text = await readText(file, known.folder, roots);
    if (text === undefined) return [];
    const beside = known.beside === undefined ? undefined : await readText(known.beside, known.folder, roots);
    return known.read(text, place, beside);
  } catch (error) {
    return [refused(place, 'file', path.basename(file), l10n.t('It cannot be read: {0}', messageOf(error)))];
  }
}

/** `undefined`: there is no such file. A file of a workspace must not lead out of its folder, or be another name of secrets. */
async function readText(file: string, folder: string | undefined, roots: readonly Root[]): Promise<string | undefined> {
  const real = await realpath(file).catch(() => undefined);
  // Opening a pipe would wait for its writer.
  if (real === undefined || !(await stat(real)).isFile()) return undefined;
  if (folder !== undefined && !real.startsWith((await realpath(folder)) + path.sep)) {
    throw new Error(l10n.t('it is a link that leads out of the workspace.'));
  }
  if (folder !== undefined) {
    const guarded = await guardPath(real, { roots, fileSystem: createNodeFileSystem() });
    if (!guarded.ok || isReadingProtected(guarded.path))
      throw new Error(l10n.t('it is a link to a file that may hold secrets.'));
  }
  // A link or a pipe may have taken its place meanwhile. Windows has neither flag, although the types say otherwise.
  const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile()) return undefined;
    if (found.size > MAX_FOREIGN_CHARACTERS) throw new Error(l10n.t('it is too large.'));
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function onDisk({ from, name, file }: ModelOnDisk, home: string): ImportItem {
  const place = { from, file, home };
  if (from === 'Ollama') return modelItem({ name: `${name} (Ollama)`, provider: 'ollama', model: name }, place);
  return refused(place, 'model', name, l10n.t('it needs no import. Set Up a Model on This Machine offers its file.'));
}
