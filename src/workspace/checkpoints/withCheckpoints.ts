import type { Tool, ToolContext, ToolOutput } from '../../sdk/tool';
import type { CommandPlan, EditPlan, WorkspacePlan } from '../plans';
import { isSameState, type FileChange, type FileState, type RecordCheckpoint } from './fileChange';
import { keep } from './fileState';
import type { BlobStore, FileContents, WorkspaceScanner, WorkspaceState } from './ports';
import { messageOf } from '../../util/errors';

export interface CheckpointParts {
  readonly blobs: BlobStore;
  readonly contents: FileContents;
  readonly scanner: WorkspaceScanner;
  readonly record: RecordCheckpoint;
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
      const { kind } = plan as Partial<WorkspacePlan>;
      if (kind === 'edit') return runEdit(tool, plan as EditPlan, context, parts);
      return kind === 'command' ? runCommand(tool, plan as CommandPlan, context, parts) : tool.run(plan, context);
    },
  };
}

async function runEdit(tool: Tool, plan: EditPlan, context: ToolContext, parts: CheckpointParts): Promise<ToolOutput> {
  if (plan.after === plan.before) return tool.run(plan, context);
  const { blobs, contents, record } = parts;
  const { displayPath, unlinkedPath } = plan.target;
  // Without links: going back must find the file that was changed, wherever a link leads by then.
  const path = unlinkedPath ?? plan.target.path;
  const head = { cause: 'edit', label: displayPath, toolUseId: context.toolUseId } as const;
  let intended: FileState;
  try {
    const isExecutable = (await contents.read(path))?.isExecutable ?? false;
    const before = plan.before === null ? undefined : { bytes: encoder.encode(plan.before), isExecutable };
    intended = await keep({ bytes: encoder.encode(plan.after), isExecutable }, blobs);
    await record({ ...head, changes: [{ path, before: await keep(before, blobs), after: intended }] });
  } catch (error) {
    const message = messageOf(error);
    return {
      content: `The content of ${displayPath} could not be stored for undoing the edit, so nothing was changed: ${message}`,
      isError: true,
    };
  }
  try {
    return await tool.run(plan, context);
  } finally {
    // The edit may have failed, or a formatter may have changed the file.
    await correct(path, intended, parts, (changes) => record({ ...head, changes }));
  }
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
  if (!before) return tool.run(plan, context);
  try {
    return await tool.run(plan, context);
  } finally {
    const after = await scanSafely(parts, new AbortController().signal);
    const changes = after ? changesBetween(before, after) : [];
    if (changes.length > 0) {
      const { toolUseId } = context;
      await parts.record({ cause: 'command', label: plan.command, toolUseId, changes }).catch(parts.onInternalError);
    }
  }
}

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
