import type { Tool, ToolContext, ToolOutput } from '../../sdk/tool';
import type { CommandPlan, EditPlan, EditsPlan, WorkspacePlan } from '../plans';
import { isSameState, type FileChange, type FileState, type RecordCheckpoint } from './fileChange';
import { keep } from './fileState';
import { jsonWith } from '../notebooks/notebookFiles';
import type { BlobStore, FileContent, FileContents, WorkspaceScanner, WorkspaceState } from './ports';
import { messageOf } from '../../util/errors';

export interface CheckpointParts {
  readonly blobs: BlobStore;
  readonly contents: FileContents;
  readonly scanner: WorkspaceScanner;
  readonly record: RecordCheckpoint;
  /** Gets the changes of a sandboxed command, which nobody saw: before it runs, none; when it has ended, all. */
  readonly onSandboxed?: ((changes: readonly FileChange[]) => void) | undefined;
  /** Gets the errors after a tool ran, when it is too late to stop it. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The tool, which stores the contents of its files before it changes them. If that fails, the edit is not made. The changes
 * of a command are found by scanning the workspace before and after it.
 */
export function withCheckpoints(tool: Tool, parts: CheckpointParts): Tool {
  return {
    ...tool,
    run: (plan, context) => {
      const { kind } = plan as Partial<WorkspacePlan | EditsPlan>;
      if (kind === 'edit' || kind === 'edits') return runEdits(tool, plan as EditPlan | EditsPlan, context, parts);
      return kind === 'command' ? runCommand(tool, plan as CommandPlan, context, parts) : tool.run(plan, context);
    },
  };
}

/** Edits of one call: of one file, or of several that are written together. */
async function runEdits(
  tool: Tool,
  plan: EditPlan | EditsPlan,
  context: ToolContext,
  parts: CheckpointParts,
): Promise<ToolOutput> {
  const edits = (plan.kind === 'edits' ? plan.edits : [plan]).filter(({ before, after }) => after !== before);
  if (edits.length === 0) return tool.run(plan, context);
  const { contents, blobs, record } = parts;
  const label = plan.kind === 'edits' ? plan.title : plan.target.displayPath;
  const head = { cause: 'edit', label, toolUseId: context.toolUseId } as const;
  const changes: FileChange[] = [];
  try {
    for (const edit of edits) {
      // Without links: going back must find the file that was changed, wherever a link leads by then.
      const path = edit.target.unlinkedPath ?? edit.target.path;
      const now = await contents.read(path);
      const isExecutable = now?.isExecutable ?? false;
      const texts = edit.isNotebook ? storedTexts(edit, now) : edit;
      const before = texts.before === null ? undefined : { bytes: encoder.encode(texts.before), isExecutable };
      const intended = await keep({ bytes: encoder.encode(texts.after), isExecutable }, blobs);
      changes.push({ path, before: await keep(before, blobs), after: intended });
    }
    await record({ ...head, changes });
  } catch (error) {
    const message = messageOf(error);
    return {
      content: `The content of ${edits.map(({ target }) => target.displayPath).join(', ')} could not be stored for undoing the edit, so nothing was changed: ${message}`,
      isError: true,
    };
  }
  try {
    return await tool.run(plan, context);
  } finally {
    // The edit may have failed, or a formatter may have changed the file.
    for (const { path, after } of changes)
      await correct(path, after, parts, (found) => record({ ...head, changes: found }));
  }
}

/** What is stored of a notebook before and after the edit, with the unsaved cells that the plan saw. */
function storedTexts(
  plan: Pick<EditPlan, 'before' | 'after'>,
  now: FileContent | undefined,
): Pick<EditPlan, 'before' | 'after'> {
  if (plan.before === null || !now) return { before: null, after: jsonWith(undefined, plan.after) };
  const before = jsonWith(new TextDecoder('utf-8', { ignoreBOM: true }).decode(now.bytes), plan.before);
  return { before, after: jsonWith(before, plan.after) };
}

async function correct(
  path: string,
  intended: FileState,
  { blobs, contents, onInternalError }: CheckpointParts,
  record: (changes: readonly FileChange[]) => Promise<void>,
): Promise<void> {
  try {
    const actual = await keep(await contents.read(path), blobs);
    if (!isSameState(actual, intended)) await record([{ path, before: intended, after: actual }]);
  } catch (error) {
    onInternalError(error);
  }
}

async function runCommand(
  tool: Tool,
  plan: CommandPlan,
  context: ToolContext,
  parts: CheckpointParts,
): Promise<ToolOutput> {
  // A background command outlives its call, so its changes belong to no call.
  const before = plan.isBackground || plan.isReadOnly ? undefined : await scanSafely(parts, context.signal);
  const isSandboxed = plan.confinement?.isSandbox === true;
  // Nobody was asked, so it must be possible to undo it.
  if (isSandboxed && !before) return { content: NOT_UNDOABLE, isError: true };
  if (!before) return tool.run(plan, context);
  if (isSandboxed) parts.onSandboxed?.([]);
  try {
    return await tool.run(plan, context);
  } finally {
    const after = await scanSafely(parts, new AbortController().signal);
    const changes = after ? changesBetween(before, after) : [];
    if (isSandboxed) parts.onSandboxed?.(changes);
    if (changes.length > 0) {
      const { toolUseId } = context;
      await parts.record({ cause: 'command', label: plan.command, toolUseId, changes }).catch(parts.onInternalError);
    }
  }
}

const NOT_UNDOABLE =
  'Nothing was run: the files of the workspace could not be stored, so changes could not be undone. Tell the user.';

/** If the scan fails the command still runs, because the person allowed it. */
async function scanSafely(
  { scanner, onInternalError }: CheckpointParts,
  signal: AbortSignal,
): Promise<WorkspaceState | undefined> {
  try {
    const state = await scanner.scan(signal);
    return state.isComplete ? state : undefined;
  } catch (error) {
    if (!signal.aborted) onInternalError(error);
    return undefined;
  }
}

function changesBetween({ files: before }: WorkspaceState, { files: after }: WorkspaceState): readonly FileChange[] {
  // The same object: nothing was read in between.
  if (before === after) return [];
  const changes: FileChange[] = [];
  for (const [path, then] of before) {
    const now = after.get(path) ?? null;
    if (!isSameState(then, now)) changes.push({ path, before: then, after: now });
  }
  for (const [path, now] of after) if (!before.has(path)) changes.push({ path, before: null, after: now });
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

const encoder = new TextEncoder();
