import { bundledGrammars } from '../../workspace/shell/parse/bundledGrammars';
import type { Grammars } from '../../workspace/shell/parse/grammars';
import { parseCommand } from '../../workspace/shell/parse/parseCommand';
import { guardPath } from '../../workspace/paths/guardPath';
import { isReadingProtected } from '../../workspace/paths/protectedPaths';
import type { CommandRunner, FileSystem, Root } from '../../workspace/ports';
import { shellNamed } from '../approval/commandAssessor';
import { kindOfName, readCall, type CheckKind, type ScriptCall, type ScriptFile } from './checkKind';
import { scriptText } from './scriptText';

interface CheckFinderParts {
  readonly fileSystem: FileSystem;
  readonly roots: () => readonly Root[];
  readonly commandRunner: Pick<CommandRunner, 'shellName'>;
}

export interface CommandCheck {
  /** What it checks, in the order of its calls. Not empty. */
  readonly kinds: readonly CheckKind[];
  /** The command's exit code may be another call's, as in `npm test | tail`. */
  readonly isExitUnsure: boolean;
}

/**
 * What a command checks; `undefined`: nothing that is known. `cwd`: the folder of the call, as the model gave it. Known by the
 * names of programs, and by the scripts in the project's files. Never rejects.
 */
export type FindCheck = (command: string, cwd: string) => Promise<CommandCheck | undefined>;

/** Where scripts are looked up for one command, with the kinds of those that were found. */
interface Lookup extends Pick<CheckFinderParts, 'fileSystem' | 'roots'> {
  readonly grammars: Grammars;
  readonly known: Map<string, readonly CheckKind[]>;
}

// The files belong to the repository, which may be an attacker's: the end of a run waits for this.
/** A larger file is not read. */
const MAX_BYTES = 200_000;
/** How often a script may lead to another one. */
const MAX_DEPTH = 3;
/** Of one command. */
const MAX_SCRIPTS = 20;
/** Of one script. */
const MAX_LINES = 50;
/** Of one line. */
const MAX_CALLS = 40;

export function createFindCheck({ fileSystem, roots, commandRunner }: CheckFinderParts): FindCheck {
  const grammars = bundledGrammars();
  return async (command, cwd) => {
    const lookup: Lookup = { fileSystem, roots, grammars, known: new Map() };
    // An unknown shell is most likely written like bash.
    const analysis = await parseCommand(command, shellNamed(commandRunner.shellName) ?? 'bash', grammars);
    const isPlain = analysis.kind === 'plain';
    const calls = isPlain ? analysis.parts.map(({ argv }) => argv) : analysis.seen;
    const folder = joined(cwd, isPlain ? analysis.folder : undefined);
    const found: (readonly CheckKind[])[] = [];
    // One after the other, so that a script that is called twice is known the second time.
    for (const argv of calls.slice(0, MAX_CALLS)) found.push(await kindsOfCall(argv, folder, lookup, 0));
    const kinds = [...new Set(found.flat())];
    if (kinds.length === 0) return undefined;
    const last = found.findLastIndex((one) => one.length > 0);
    const isLastToDecide = isPlain && analysis.parts.slice(last + 1).every(({ separator }) => separator === '&&');
    return { kinds, isExitUnsure: isPlain ? !isLastToDecide : calls.length > 1 };
  };
}

async function kindsOfCall(
  argv: readonly string[],
  folder: string,
  lookup: Lookup,
  depth: number,
): Promise<readonly CheckKind[]> {
  const call = readCall(argv);
  if (call === undefined) return [];
  if (typeof call === 'string') return [call];
  const kinds = depth < MAX_DEPTH ? await kindsOfScript(call, folder, lookup, depth) : [];
  if (kinds.length > 0) return kinds;
  const named = kindOfName(call.name);
  return named === undefined ? [] : [named];
}

/** What the text of a script checks. Empty: unknown. */
async function kindsOfScript(
  { files, name }: ScriptCall,
  folder: string,
  lookup: Lookup,
  depth: number,
): Promise<readonly CheckKind[]> {
  const { known, grammars } = lookup;
  const key = JSON.stringify([files, name]);
  const before = known.get(key);
  if (before || known.size >= MAX_SCRIPTS) return before ?? [];
  // A script that leads to itself says nothing more.
  known.set(key, []);
  const kinds = new Set<CheckKind>();
  for (const file of files) {
    const lines = scriptText(file, (await readProjectFile(file, folder, lookup)) ?? '', name);
    for (const line of lines.slice(0, MAX_LINES)) {
      // Scripts are written for a POSIX shell nearly everywhere.
      const analysis = await parseCommand(line, 'bash', grammars);
      const calls = analysis.kind === 'plain' ? analysis.parts.map(({ argv }) => argv) : analysis.seen;
      for (const argv of calls.slice(0, MAX_CALLS)) {
        for (const kind of await kindsOfCall(argv, folder, lookup, depth + 1)) kinds.add(kind);
      }
    }
  }
  known.set(key, [...kinds]);
  return [...kinds];
}

/** `undefined`: it is not there, cannot be read, or lies outside the workspace. */
async function readProjectFile(
  file: ScriptFile,
  folder: string,
  { fileSystem, roots }: Lookup,
): Promise<string | undefined> {
  try {
    const guarded = await guardPath(joined(folder, file), { roots: roots(), fileSystem });
    if (!guarded.ok || !guarded.path.exists || isReadingProtected(guarded.path)) return undefined;
    const { realPath } = guarded.path;
    const stat = await fileSystem.stat(realPath);
    if (stat?.kind !== 'file' || stat.size > MAX_BYTES) return undefined;
    return (await fileSystem.openText(realPath)).text;
  } catch {
    // The names alone say enough for a line of text.
    return undefined;
  }
}

function joined(folder: string, rest: string | undefined): string {
  if (rest === undefined || rest === '') return folder;
  return folder === '' || folder === '.' || /^(?:[\\/]|[A-Za-z]:)/.test(rest) ? rest : `${folder}/${rest}`;
}
