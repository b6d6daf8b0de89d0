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
  /** Gets what goes wrong after a tool ran, when nothing can be kept from running any more. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The tool, which keeps what its files hold before it touches them. An edit whose file cannot be kept is not made. What
 * a command changed is found by looking at the workspace before and after it.
 */
export function withCheckpoints(tool: Tool, parts: CheckpointParts): Tool {
  return {
    ...tool,
    run: (plan, context) => {
      const { kind } = plan as Partial<WorkspacePlan>;
      if (kind === 'edit') return runEdit(tool, plan as EditPlan, context, parts);
      // A background command goes on when the call has ended: what it changes belongs to no call.
      if (kind === 'command' && !(plan as CommandPlan).isBackground)
        return runCommand(tool, plan as CommandPlan, context, parts);
      return tool.run(plan, context);
    },
  };
}

async function runEdit(tool: Tool, plan: EditPlan, context: ToolContext, parts: CheckpointParts): Promise<ToolOutput> {
  if (plan.after === plan.before) return tool.run(plan, context);
  const { blobs, contents, record } = parts;
  const { path, displayPath } = plan.target;
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
      content: `What ${displayPath} holds now could not be kept for undoing the edit, so nothing was changed: ${message}`,
      isError: true,
    };
  }
  try {
    return await tool.run(plan, context);
  } finally {
    // It may not have been written, or a formatter may have had its say.
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
  const before = await scanSafely(parts, context.signal);
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

/** Not knowing what a command changed is no reason not to run it: the person allowed it. */
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

function changesBetween(before: WorkspaceState, after: WorkspaceState): readonly FileChange[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].flatMap((path): FileChange[] => {
    const [then, now] = [before.files.get(path) ?? null, after.files.get(path) ?? null];
    return isSameState(then, now) ? [] : [{ path, before: then, after: now }];
  });
}

const encoder = new TextEncoder();
