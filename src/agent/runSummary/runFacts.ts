import type { SessionEntry } from '../../sdk/session/entries';
import { isJsonObject, type JsonValue } from '../../util/json';
import { isSameState, type ChangeCause, type Checkpoint } from '../../workspace/checkpoints/fileChange';
import { spanOf } from '../../workspace/checkpoints/planRestore';

/** What a run did, from its entries. */
export interface RunFacts {
  /** The prompt that the run answers. */
  readonly promptId: string;
  /** The files that differ from before the prompt, in the order of their first change. */
  readonly files: readonly ChangedFile[];
  /** The commands that have ended, in order. */
  readonly commands: readonly RunCommand[];
  /** The newest commands of earlier runs, in order. */
  readonly earlierCommands: () => readonly RunCommand[];
}

/** Earlier commands of a session are not looked at. */
const MAX_EARLIER = 30;

export interface ChangedFile {
  /** As the person reads it; only the name of a file that a command changed. */
  readonly name: string;
  /** The lines of all edits. Absent: a command changed it. */
  readonly lines?: { readonly added: number; readonly removed: number } | undefined;
  /** Nobody was asked about one of its edits. */
  readonly isUnasked: boolean;
}

export interface RunCommand {
  readonly command: string;
  /** The folder that the model gave; `.` if it gave none. */
  readonly cwd: string;
  /** `null`: it did not end by itself. */
  readonly exitCode: number | null;
  /** What changed files after it ended. Absent: nothing. */
  readonly changedAfter?: Exclude<ChangeCause, 'restore'> | undefined;
}

/** The facts since the newest prompt; `undefined`: no file differs. */
export function runFacts(entries: readonly SessionEntry[]): RunFacts | undefined {
  const start = entries.findLastIndex(({ type, ...rest }) => type === 'user_message' && isPrompt(rest));
  const prompt = entries[start];
  if (!prompt) return undefined;
  const run = entries.slice(start);
  const files = changedFiles(run);
  if (files.length === 0) return undefined;
  const earlierCommands = () => withChanges(endedCommands(entries.slice(0, start)).slice(-MAX_EARLIER), entries);
  return { promptId: prompt.id, files, commands: withChanges(endedCommands(run), run), earlierCommands };
}

function isPrompt(entry: object): boolean {
  return 'origin' in entry && entry.origin === 'prompt';
}

function changedFiles(run: readonly SessionEntry[]): readonly ChangedFile[] {
  const edits = new Map<string, ChangedFile>();
  /** The newest edit of each call: some servers use the id of a call again. */
  const newest = new Map<string, readonly EditedFile[]>();
  for (const entry of run) {
    if (entry.type === 'checkpoint' && entry.cause === 'edit' && entry.toolUseId !== undefined) {
      const { changes, label, toolUseId } = entry;
      const known = newest.get(toolUseId) ?? [];
      const isCorrection = changes.every(({ path }) => known.some((edit) => edit.path === path));
      const named = changes.map(({ path }) => ({ path, name: changes.length === 1 ? label : nameOf(path) }));
      if (!isCorrection) newest.set(toolUseId, named);
    }
    if (entry.type !== 'tool_result') continue;
    const edited = newest.get(entry.toolUseId) ?? [];
    const files = edited.length > 1 ? filesOf(entry.display) : [entry.display];
    edited.forEach(({ path, name }, index) => {
      const file = files[index];
      const { added, removed } = lineCounts(file);
      const before = edits.get(path);
      edits.set(path, {
        name: edited.length > 1 && isJsonObject(file) && typeof file['name'] === 'string' ? file['name'] : name,
        lines: { added: added + (before?.lines?.added ?? 0), removed: removed + (before?.lines?.removed ?? 0) },
        isUnasked: entry.approval === undefined || before?.isUnasked === true,
      });
    });
  }
  return changedPaths(checkpointsOf(run)).map((path) => edits.get(path) ?? { name: nameOf(path), isUnasked: false });
}

interface EditedFile {
  readonly path: string;
  readonly name: string;
}

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** The files of an edit of several, in the order of their changes. */
function filesOf(display: JsonValue | undefined): readonly JsonValue[] {
  const files = isJsonObject(display) ? display['files'] : undefined;
  return Array.isArray(files) ? files : [];
}

function lineCounts(display: JsonValue | undefined): { readonly added: number; readonly removed: number } {
  const { addedLines, removedLines } = isJsonObject(display) ? display : {};
  const known = typeof addedLines === 'number' && typeof removedLines === 'number';
  return known ? { added: addedLines, removed: removedLines } : { added: 0, removed: 0 };
}

type Ended = Omit<RunCommand, 'changedAfter'> & { readonly index: number };

function endedCommands(run: readonly SessionEntry[]): readonly Ended[] {
  const commands: Ended[] = [];
  const calls = new Map<string, { readonly command: string; readonly cwd: string }>();
  run.forEach((entry, index) => {
    if (entry.type === 'tool_call' && entry.toolName === 'run_terminal_command') {
      const { command, cwd } = entry.input;
      if (typeof command === 'string')
        calls.set(entry.toolUseId, { command, cwd: typeof cwd === 'string' ? cwd : '.' });
    }
    const call = entry.type === 'tool_result' ? calls.get(entry.toolUseId) : undefined;
    if (entry.type !== 'tool_result' || !call || !isJsonObject(entry.display)) return;
    // A background command has not ended.
    const { ended, exitCode } = entry.display;
    if (typeof ended !== 'string') return;
    commands.push({ ...call, exitCode: ended === 'exited' && typeof exitCode === 'number' ? exitCode : null, index });
  });
  return commands;
}

/** `entries`: from the one with index 0 to the newest. */
function withChanges(commands: readonly Ended[], entries: readonly SessionEntry[]): readonly RunCommand[] {
  return commands.map(({ index, ...command }) => {
    const changedAfter = lastCause(entries.slice(index + 1));
    return { ...command, ...(changedAfter && { changedAfter }) };
  });
}

function lastCause(rest: readonly SessionEntry[]): RunCommand['changedAfter'] {
  const checkpoints = checkpointsOf(rest);
  const paths = changedPaths(checkpoints);
  const last = checkpoints.findLast(({ changes }) => changes.some(({ path }) => paths.includes(path)));
  return last === undefined ? undefined : last.cause === 'edit' ? 'edit' : 'command';
}

function checkpointsOf(entries: readonly SessionEntry[]): readonly Checkpoint[] {
  return entries.filter((entry) => entry.type === 'checkpoint');
}

/** The files that differ after all of the changes. */
function changedPaths(checkpoints: readonly Checkpoint[]): readonly string[] {
  const spans = spanOf(checkpoints.flatMap(({ changes }) => changes));
  return [...spans].filter(([, { before, after }]) => !isSameState(before, after)).map(([path]) => path);
}
