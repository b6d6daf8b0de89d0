import { Grammars } from '../../workspace/shell/parse/grammars';
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

/** Where scripts are looked up. */
interface Project extends Pick<CheckFinderParts, 'fileSystem' | 'roots'> {
  readonly grammars: Grammars;
}

/** A larger file is not read. */
const MAX_BYTES = 1_000_000;
/** How often a script may lead to another one. */
const MAX_DEPTH = 3;

export function createFindCheck({ fileSystem, roots, commandRunner }: CheckFinderParts): FindCheck {
  const project: Project = { fileSystem, roots, grammars: new Grammars() };
  return async (command, cwd) => {
    // An unknown shell is most likely written like bash.
    const analysis = await parseCommand(command, shellNamed(commandRunner.shellName) ?? 'bash', project.grammars);
    const isPlain = analysis.kind === 'plain';
    const calls = isPlain ? analysis.parts.map(({ argv }) => argv) : analysis.seen;
    const folder = joined(cwd, isPlain ? analysis.folder : undefined);
    const found = await Promise.all(calls.map((argv) => kindsOfCall(argv, folder, project, 0)));
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
  project: Project,
  depth: number,
): Promise<readonly CheckKind[]> {
  const call = readCall(argv);
  if (call === undefined) return [];
  if (typeof call === 'string') return [call];
  const kinds = depth < MAX_DEPTH ? await kindsOfScript(call, folder, project, depth) : [];
  if (kinds.length > 0) return kinds;
  const named = kindOfName(call.name);
  return named === undefined ? [] : [named];
}

/** What the text of a script checks. Empty: unknown. */
async function kindsOfScript(
  { files, name }: ScriptCall,
  folder: string,
  project: Project,
  depth: number,
): Promise<readonly CheckKind[]> {
  const kinds = new Set<CheckKind>();
  for (const file of files) {
    for (const line of scriptText(file, (await readProjectFile(file, folder, project)) ?? '', name)) {
      // Scripts are written for a POSIX shell nearly everywhere.
      const analysis = await parseCommand(line, 'bash', project.grammars);
      const calls = analysis.kind === 'plain' ? analysis.parts.map(({ argv }) => argv) : analysis.seen;
      for (const argv of calls) {
        for (const kind of await kindsOfCall(argv, folder, project, depth + 1)) kinds.add(kind);
      }
    }
  }
  return [...kinds];
}

/** `undefined`: it is not there, cannot be read, or lies outside the workspace. */
async function readProjectFile(
  file: ScriptFile,
  folder: string,
  { fileSystem, roots }: Project,
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
