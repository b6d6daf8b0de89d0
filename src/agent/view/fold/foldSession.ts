import * as l10n from '../../../util/l10n';
import type { AgentEvent } from '../../../sdk/events';
import { assertNever } from '../../../util/assertNever';
import { changed } from '../../../util/changed';
import {
  foldDelta,
  foldMessage,
  foldToolUseDelta,
  foldToolUseStart,
  foldBlockEnd,
  abandonResponse,
} from './foldResponse';
import { timeFirstPiece } from './responseSpeed';
import { foldApproval, foldApprovalAnswer, foldHunks, foldToolEnd, foldToolProgress, foldToolStart } from './foldTools';
import type { SessionEvent } from '../sessionEvents';
import type { Activity, SessionView, ViewItem, WaitingItem } from '../sessionView';

/** The view of an empty session. */
export function emptyView(sessionId: string): SessionView {
  return { sessionId, title: l10n.t('New session'), state: 'idle', items: [] };
}

/**
 * The view after one more event. Pure: does not change its arguments, and unchanged parts keep their identity. Ignores an
 * event for an unknown item.
 */
export function foldSession(view: SessionView, event: SessionEvent): SessionView {
  switch (event.type) {
    case 'prompt_added': {
      const { id, text, contextLabels, images, instructions } = event;
      const isSteering = view.state !== 'idle';
      const more = { ...(images && { images }), ...(instructions && { instructions }) };
      return append(view, { kind: 'prompt', id, text, contextLabels, isSteering, ...more });
    }
    case 'waiting_changed':
      return withWaiting(view, event.waiting);
    case 'prompt_context': {
      const { id, contextLabels, instructions } = event;
      const items = view.items.map((item) =>
        item.kind === 'prompt' && item.id === id ? { ...item, contextLabels, instructions } : item,
      );
      return { ...view, items };
    }
    case 'agent':
      return foldAgentEvent(view, event.event, event.ts);
    case 'approval_requested':
      return foldApproval(view, event);
    case 'hunks_changed':
      return foldHunks(view, event);
    case 'approval_resolved':
      return foldApprovalAnswer(view, event);
    case 'state_changed':
      return view.state === event.state ? view : { ...view, state: event.state };
    case 'branch_changed':
      return event.view;
    case 'context': {
      const { tokens, isEstimate, window, sections } = event;
      const known = { ...(window !== undefined && { window }), ...(sections && { sections }) };
      return { ...view, context: { tokens, isEstimate, ...known } };
    }
    case 'titled':
      return { ...view, title: event.title };
    case 'notice': {
      const item = { kind: 'notice', id: event.notice.id, notice: event.notice } as const;
      return append(withoutNotice(view, item.id), item);
    }
    case 'notice_dismissed':
      return withoutNotice(view, event.id);
    case 'read_only_changed':
      return { ...view, readOnly: event.readOnly };
    case 'failed':
      return withActivity(view, undefined);
    default:
      return assertNever(event);
  }
}

function foldAgentEvent(view: SessionView, event: AgentEvent, ts: number): SessionView {
  switch (event.type) {
    case 'step_start': {
      // This removes the calls of a response that was dropped. Nobody stopped it: the model is asked again.
      const settled = abandonResponse(view, ts, 'incomplete');
      return changed(settled, { responseStart: settled.items.length, responseTimes: { requestedMs: ts } });
    }
    case 'status': {
      const { status, detail } = event;
      const isSame = view.activity?.status === status && view.activity.retry === undefined;
      return withActivity(view, {
        status,
        ...(detail !== undefined && { detail }),
        sinceMs: isSame && view.activity ? view.activity.sinceMs : ts,
      });
    }
    case 'retry': {
      const { attempt, maxRetries, delayMs, error, gone } = event;
      const retry = {
        ...{ attempt, maxRetries, untilMs: ts + delayMs },
        ...(gone && { goneLongestMs: gone.longestMs }),
      };
      const sinceMs = ts - (gone?.waitedMs ?? 0);
      return withActivity(view, { status: 'connecting', detail: firstWords(error.message), sinceMs, retry });
    }
    case 'prompt_progress': {
      const { status, sinceMs } = view.activity ?? { status: 'prefilling', sinceMs: ts };
      return withActivity(view, { ...view.activity, status, sinceMs, progress: event.progress });
    }
    case 'text_delta':
      return foldDelta(timeFirstPiece(view, ts), 'text', event, ts);
    case 'thinking_delta':
      return foldDelta(timeFirstPiece(view, ts), 'thinking', event, ts);
    case 'tool_use_start':
      return foldToolUseStart(timeFirstPiece(view, ts), event, ts);
    case 'tool_use_delta':
      return foldToolUseDelta(view, event);
    case 'block_end':
      return foldBlockEnd(view, event, ts);
    case 'assistant_message':
      return withActivity(foldMessage(view, event, ts), undefined);
    case 'tool_execution_start':
      return foldToolStart(view, event, ts);
    case 'tool_execution_progress':
      return foldToolProgress(view, event);
    case 'tool_execution_end':
      return foldToolEnd(view, event, ts);
    case 'usage':
      return { ...view, usage: event.usage };
    case 'run_end':
      return withActivity(abandonResponse(view, ts, 'interrupted'), undefined);
    case 'run_start':
    case 'user_message':
    case 'compaction':
    case 'warning':
    case 'output_rejected':
    case 'step_end':
      return view;
    default:
      return assertNever(event);
  }
}

/** Cuts a message: a server's can be a page long. */
function firstWords(message: string): string {
  return message.length > 200 ? `${message.slice(0, 200).toWellFormed()}…` : message;
}

function append(view: SessionView, item: ViewItem): SessionView {
  return { ...view, items: [...view.items, item] };
}

function withActivity(view: SessionView, activity: Activity | undefined): SessionView {
  if (activity === view.activity) return view;
  const { activity: _before, ...rest } = view;
  return activity ? { ...rest, activity } : rest;
}

/** Without the field when nothing waits. */
export function withWaiting({ waiting: _before, ...rest }: SessionView, waiting: readonly WaitingItem[]): SessionView {
  return waiting.length === 0 ? rest : { ...rest, waiting };
}

function withoutNotice(view: SessionView, id: string): SessionView {
  const index = view.items.findIndex((item) => item.kind === 'notice' && item.id === id);
  if (index < 0) return view;
  const items = view.items.toSpliced(index, 1);
  const { responseStart } = view;
  return responseStart !== undefined && index < responseStart
    ? { ...view, items, responseStart: responseStart - 1 }
    : { ...view, items };
}
