import type { AgentEvent } from '../../../sdk/events';
import type { ToolResultContent } from '../../../sdk/messages';
import { changed } from '../../../util/changed';
import type { SessionEvent } from '../sessionEvents';
import type { SessionView, ToolItem } from '../sessionView';
import { changeTool } from './toolPlaces';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type SessionEventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;

/** The characters of a running tool's output to keep: a screen shows the end. */
export const MAX_LIVE_OUTPUT = 20_000;

export function foldToolStart(
  view: SessionView,
  { toolUseId, input }: EventOf<'tool_execution_start'>,
  ts: number,
): SessionView {
  return changeTool(view, toolUseId, (item) =>
    changed(item, { state: 'running', input, argumentsText: '', startedMs: ts }),
  );
}

export function foldToolProgress(
  view: SessionView,
  { toolUseId, output }: EventOf<'tool_execution_progress'>,
): SessionView {
  return changeTool(view, toolUseId, (item) => ({ ...item, liveOutput: newestPart(item.liveOutput + output) }));
}

export function foldToolEnd(
  view: SessionView,
  { toolUseId, outcome, result, display }: EventOf<'tool_execution_end'>,
  ts: number,
): SessionView {
  const end = { state: outcome, liveOutput: '', result: resultText(result.content), endedMs: ts };
  return changeTool(view, toolUseId, (item) =>
    changed(withoutApproval(item), display === undefined ? end : { ...end, display }),
  );
}

/** The result of a call as people see it. */
export function resultText(content: ToolResultContent): string {
  return typeof content === 'string' ? content : JSON.stringify(content, undefined, 2);
}

export function foldApproval(view: SessionView, { approval }: SessionEventOf<'approval_requested'>): SessionView {
  return changeTool(view, approval.toolUseId, (item) => ({ ...item, state: 'awaiting_approval', approval }));
}

export function foldHunks(
  view: SessionView,
  { requestId, toolUseId, states }: SessionEventOf<'hunks_changed'>,
): SessionView {
  return changeTool(view, toolUseId, (item) => {
    const { approval } = item;
    if (approval?.kind !== 'edit' || !approval.hunks || approval.requestId !== requestId) return item;
    const hunks = approval.hunks.map((hunk, index) => ({ ...hunk, state: states[index] ?? hunk.state }));
    return { ...item, approval: { ...approval, hunks } };
  });
}

export function foldApprovalAnswer(
  view: SessionView,
  { requestId, toolUseId, outcome, reason }: SessionEventOf<'approval_resolved'>,
): SessionView {
  return changeTool(view, toolUseId, ({ approval, ...item }) => {
    if (approval && approval.requestId !== requestId) return { ...item, approval };
    const isAllowed = outcome === 'allowed' || outcome === 'allowed_with_changes';
    return {
      ...item,
      state:
        item.state !== 'awaiting_approval'
          ? item.state
          : isAllowed && item.startedMs !== undefined
            ? 'running'
            : 'ready',
      approvalOutcome: outcome,
      ...(isAllowed && approval?.kind === 'edit' && approval.operation !== 'edit' && { writes: approval.operation }),
      ...(reason !== undefined && { denialReason: reason }),
    };
  });
}

/** Most items have none, and a copy without a property is slow. */
function withoutApproval(item: ToolItem): ToolItem {
  if (item.approval === undefined && item.writes === undefined) return item;
  const { approval: _closed, writes: _ended, ...rest } = item;
  return rest;
}

function newestPart(output: string): string {
  if (output.length <= MAX_LIVE_OUTPUT) return output;
  // Never starts inside a surrogate pair.
  return output.slice(-MAX_LIVE_OUTPUT).replace(/^[\uDC00-\uDFFF]/, '');
}
