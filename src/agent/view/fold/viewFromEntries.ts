import type { AgentEvent } from '../../../sdk/events';
import type { EntryOf, SessionEntry } from '../../../sdk/session/entries';
import { LeftWaiting } from '../../../sdk/session/leftWaiting';
import { branchOf, NOT_STARTED, OUTCOME_UNKNOWN } from '../../../sdk/session/replay';
import { runAtOnce, runInSlices, PIECES_OF_STEP, type Steps } from '../../../util/slices/steps';
import { assertNever } from '../../../util/assertNever';
import { countItems } from './foldResponse';
import { emptyView, foldSession, withWaiting } from './foldSession';
import { readWholeResponse } from './wholeResponse';
import { sentInstructions } from '../prompt/instructionSections';
import {
  compactionNotice,
  endingNotice,
  epochNotice,
  restoredNotice,
  summaryNotice,
  toldNotice,
} from '../notices/notices';
import type { SessionEvent } from '../sessionEvents';
import type { SessionNotice, SessionView, ViewItem } from '../sessionView';

/**
 * The view of a session from its file: the same as from its live events, without the state of a run. A started call
 * without a result is `outcome_unknown`; no call waits for approval.
 */
export function viewFromEntries(sessionId: string, entries: readonly SessionEntry[]): SessionView {
  return runAtOnce(wholeView(sessionId, entries));
}

/** As `viewFromEntries`, without blocking for long. Entries that are added meanwhile do not count. */
export async function viewInSlices(sessionId: string, entries: readonly SessionEntry[]): Promise<SessionView> {
  return runInSlices(wholeView(sessionId, [...entries]));
}

/** The branch, and the prompts that no run has sent. They belong to no branch. */
function* wholeView(sessionId: string, entries: readonly SessionEntry[]): Steps<SessionView> {
  const waiting = new LeftWaiting();
  const branch = branchOf(entries);
  const isWhole = branch === entries;
  // Each look at all entries of a long session takes its time.
  const view = yield* viewSteps(sessionId, branch, (entry) => isWhole && waiting.add(entry));
  if (!isWhole) {
    for (const [index, entry] of entries.entries()) {
      if (index % PIECES_OF_STEP === 0) yield;
      waiting.add(entry);
    }
  }
  const items = waiting.prompts.map(({ promptId: id, prompt: { text, contextLabels } }) => {
    return { id, text, contextLabels, when: 'held' } as const;
  });
  return withWaiting(view, items);
}

function* viewSteps(
  sessionId: string,
  branch: readonly SessionEntry[],
  onEntry: (entry: SessionEntry) => void,
): Steps<SessionView> {
  // Nobody else has this object, so it changes in place: each copy takes longer than all else here.
  let view: { -readonly [Key in keyof SessionView]: SessionView[Key] } = emptyView(sessionId);
  // Settled items no longer change. Folding without them keeps the cost of each entry constant.
  let settled: ViewItem[] = [];
  let target: EntryOf<'system_message'> | EntryOf<'epoch'> | undefined;
  let epoch: SessionEvent | undefined;
  const showEpoch = (): void => {
    if (epoch) view = foldSession(view, epoch);
    epoch = undefined;
  };
  let pieces = 0;
  for (let index = 0, next = 0; index < branch.length; index = next) {
    if (pieces++ % PIECES_OF_STEP === 0) yield;
    next = index + 1;
    const entry = branch[index] as SessionEntry;
    onEntry(entry);
    // The epoch made for a prompt is in the file before it, but is shown after it.
    if (epoch && !AROUND_PROMPTS.has(entry.type)) showEpoch();
    if (beginsAnew(entry)) {
      view = settle(view, entry.ts);
      for (const item of view.items) settled.push(item);
      view.settledCount = countItems(view);
      view.items = [];
    }
    // Restored files end the offers about all runs.
    if (entry.type === 'checkpoint' && restoredNotice(entry)) settled = settled.filter((item) => !isSummary(item));
    const isAnswer = entry.type === 'assistant_message' || entry.type === 'assistant_partial';
    const whole = isAnswer && view.responseStart === undefined && readWholeResponse(branch, index, countItems(view));
    if (whole) {
      const { items, usage } = whole;
      view.items = [...view.items, ...items];
      if (usage) view.usage = usage;
      next = whole.next;
      continue;
    }
    for (const event of eventsOf(entry, view)) view = foldSession(view, event);
    if (entry.type === 'user_message') showEpoch();
    if (entry.type !== 'system_message' && entry.type !== 'epoch') continue;
    const notice = epochNotice(entry, target);
    if (notice) epoch = { type: 'notice', notice, ts: entry.ts };
    target = entry;
  }
  showEpoch();
  const last = branch.at(-1);
  if (!last) return view;
  const { settledCount: _all, ...rest } = settle(view, last.ts);
  view = { ...rest, items: [...settled, ...rest.items], state: 'idle' };
  const notice = endingNotice(branch);
  return notice ? foldSession(view, { type: 'notice', notice, ts: last.ts }) : view;
}

const AROUND_PROMPTS: ReadonlySet<SessionEntry['type']> = new Set(['user_message', 'title', 'status_update']);

/** Whether calls and text that were open before this entry are lost. */
function beginsAnew(entry: SessionEntry): boolean {
  return (
    (entry.type === 'user_message' && entry.origin === 'prompt') ||
    (entry.type === 'status_update' && entry.status === 'RUNNING')
  );
}

function eventsOf(entry: SessionEntry, view: SessionView): readonly SessionEvent[] {
  const { ts } = entry;
  switch (entry.type) {
    case 'title':
      return [{ type: 'titled', title: entry.title, ts }];
    case 'user_message':
      return promptEvents(entry);
    case 'assistant_partial':
      return [
        ...stepStart(view, ts),
        ...entry.blocks.map(({ block, type, text }) => agentEvent({ type: `${type}_delta`, block, text }, ts)),
      ];
    case 'assistant_message': {
      if (entry.isBridge) return [];
      const { content, stopReason, responseId, model, usage } = entry;
      const message = { role: 'assistant', content, ...(stopReason && { stopReason }) } as const;
      return [...stepStart(view, ts), agentEvent({ type: 'assistant_message', message, responseId, model, usage }, ts)];
    }
    case 'tool_call': {
      const { toolUseId, toolName, input } = entry;
      return [agentEvent({ type: 'tool_execution_start', toolUseId, toolName, input }, ts)];
    }
    case 'tool_result':
      return resultEvents(entry);
    case 'status_update':
      return entry.status === 'RUNNING'
        ? [{ type: 'state_changed', state: 'running', ts }]
        : [agentEvent({ type: 'run_end', outcome: 'completed' }, ts), { type: 'state_changed', state: 'idle', ts }];
    case 'compaction':
      // It belongs to the step whose request was too long.
      return [...stepStart(view, ts), { type: 'notice', notice: compactionNotice(entry), ts }];
    case 'run_summary':
      return [
        ...dismissedSummaries(view, ts, entry.promptId),
        ...noticeEvents(entry.message === '' ? undefined : summaryNotice(entry), ts),
      ];
    case 'checkpoint': {
      const notice = restoredNotice(entry);
      return notice ? [...dismissedSummaries(view, ts), { type: 'notice', notice, ts }] : [];
    }
    case 'system_message':
    case 'epoch':
    case 'error':
    case 'unknown':
    case 'waiting_prompt':
      return [];
    default:
      return assertNever(entry);
  }
}

function agentEvent(event: AgentEvent, ts: number): SessionEvent {
  return { type: 'agent', event, ts };
}

/** The event that begins a response, unless one has begun. */
function stepStart({ responseStart }: SessionView, ts: number): readonly SessionEvent[] {
  return responseStart === undefined ? [agentEvent({ type: 'step_start', step: 0 }, ts)] : [];
}

function noticeEvents(notice: SessionNotice | undefined, ts: number): readonly SessionEvent[] {
  return notice ? [{ type: 'notice', notice, ts }] : [];
}

/** The facts about a run are told once: about the run of a prompt, or none after files were restored. */
function dismissedSummaries({ items }: SessionView, ts: number, promptId?: string): readonly SessionEvent[] {
  return items.flatMap((item) => {
    const about = item.kind === 'notice' ? item.notice.promptId : undefined;
    const isMeant = about !== undefined && (promptId === undefined || about === promptId);
    return isMeant ? [{ type: 'notice_dismissed', id: item.id, ts } as const] : [];
  });
}

function isSummary(item: ViewItem): boolean {
  return item.kind === 'notice' && item.notice.promptId !== undefined;
}

function promptEvents({
  id,
  text,
  contextLabels,
  content,
  images,
  origin,
  ts,
}: EntryOf<'user_message'>): readonly SessionEvent[] {
  const instructions = sentInstructions(content);
  const more = { ...(images && { images }), ...(instructions.length > 0 && { instructions }) };
  const added = { type: 'prompt_added', id, text, contextLabels, ...more, ts } as const;
  switch (origin) {
    case 'prompt':
      return [{ type: 'state_changed', state: 'idle', ts }, added];
    case 'steer':
      return [{ type: 'state_changed', state: 'running', ts }, added];
    case 'continue':
      return [];
    case 'hook':
      return [{ type: 'notice', notice: toldNotice(id, text), ts }];
    default:
      return assertNever(origin);
  }
}

function resultEvents(entry: EntryOf<'tool_result'>): readonly SessionEvent[] {
  const { toolUseId, content, isError, outcome, display, approval, ts } = entry;
  const end: AgentEvent = {
    type: 'tool_execution_end',
    toolUseId,
    outcome,
    result: { type: 'tool_result', toolUseId, content, isError },
    display,
  };
  if (!approval) return [agentEvent(end, ts)];
  return [{ type: 'approval_resolved', requestId: '', toolUseId, ...approval, ts }, agentEvent(end, ts)];
}

/** Closes open calls and text when the end is missing, as `replayMessages` does for the model. */
function settle(view: SessionView, ts: number): SessionView {
  const ended = foldSession(view, { type: 'agent', event: { type: 'run_end', outcome: 'interrupted' }, ts });
  const isOpen = ended.items.some((item) => settleItem(item) !== item);
  return isOpen ? { ...ended, items: ended.items.map(settleItem) } : ended;
}

function settleItem(item: ViewItem): ViewItem {
  if (item.kind !== 'tool') return item;
  switch (item.state) {
    case 'running':
      return { ...item, state: 'outcome_unknown', liveOutput: '', result: OUTCOME_UNKNOWN };
    case 'writing':
    case 'ready':
    case 'awaiting_approval':
      return { ...item, state: 'interrupted', result: NOT_STARTED };
    default:
      return item;
  }
}
