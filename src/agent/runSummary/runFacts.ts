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
}

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
  return files.length === 0 ? undefined : { promptId: prompt.id, files, commands: endedCommands(run) };
}

function isPrompt(entry: object): boolean {
  return 'origin' in entry && entry.origin === 'prompt';
}

function changedFiles(run: readonly SessionEntry[]): readonly ChangedFile[] {
  const edits = new Map<string, ChangedFile>();
  /** The newest edit of each call: some servers use the id of a call again. */
  const newest = new Map<string, { readonly path: string; readonly name: string }>();
  for (const entry of run) {
    const [change] = entry.type === 'checkpoint' ? entry.changes : [];
    if (entry.type === 'checkpoint' && entry.cause === 'edit' && entry.toolUseId !== undefined && change) {
      newest.set(entry.toolUseId, { path: change.path, name: entry.label });
    }
    const edit = entry.type === 'tool_result' ? newest.get(entry.toolUseId) : undefined;
    if (entry.type !== 'tool_result' || !edit) continue;
    const { added, removed } = lineCounts(entry.display);
    const before = edits.get(edit.path);
    edits.set(edit.path, {
      name: edit.name,
      lines: { added: added + (before?.lines?.added ?? 0), removed: removed + (before?.lines?.removed ?? 0) },
      isUnasked: entry.approval === undefined || before?.isUnasked === true,
    });
  }
  return changedPaths(checkpointsOf(run)).map(
    (path) => edits.get(path) ?? { name: path.split(/[\\/]/).at(-1) ?? path, isUnasked: false },
  );
}

function lineCounts(display: JsonValue | undefined): { readonly added: number; readonly removed: number } {
  const { addedLines, removedLines } = isJsonObject(display) ? display : {};
  const known = typeof addedLines === 'number' && typeof removedLines === 'number';
  return known ? { added: addedLines, removed: removedLines } : { added: 0, removed: 0 };
}

function endedCommands(run: readonly SessionEntry[]): readonly RunCommand[] {
  const commands: RunCommand[] = [];
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
    const changedAfter = lastCause(run.slice(index + 1));
    commands.push({
      ...call,
      exitCode: ended === 'exited' && typeof exitCode === 'number' ? exitCode : null,
      ...(changedAfter && { changedAfter }),
    });
  });
  return commands;
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
