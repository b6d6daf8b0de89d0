import { withAddedText } from '../../agent/view/prompt/draftText';
import type { ContextChip, ContextOffer, InstructionChip, WorkspaceCounts } from '../../agent/view/prompt/contextChip';
import { emptyView, foldSession } from '../../agent/view/fold/foldSession';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { ShownImage } from '../../agent/view/sessionView';
import type { SessionView } from '../../agent/view/sessionView';
import type { PanelState, SlashCommand, ToWebview } from '../../protocol/toWebview';
import { assertNever } from '../../util/assertNever';
import type { FoundFiles, ServerItems } from './completion';
import { firstDraft } from './firstDraft';
import { settleEdits, withoutEdit, type PromptEdit } from './promptEdits';
import { takePrompts, type Recall } from './recall';

/** Everything that the panel shows. Immutable: unchanged parts keep their identity. */
export interface WebviewState {
  /** `undefined` until the first snapshot. */
  readonly panel?: PanelState | undefined;
  readonly session?: SessionView | undefined;
  /** The person stopped the newest run, which may have ended since. */
  readonly wasStopped: boolean;
  readonly lastSeq: number;
  /** A message was missed. Facts are ignored until the next snapshot. */
  readonly isOutOfSync: boolean;
  /** The text in the composer. */
  readonly draft: string;
  /** The images that go with the next prompt. */
  readonly attached: readonly ShownImage[];
  /** Sent prompts that the person edits, of all sessions. */
  readonly edits: readonly PromptEdit[];
  /** The walk through earlier prompts, whose prompt is in the composer. */
  readonly recall?: Recall | undefined;
  /** The draft that the earlier page told the host last. `undefined`: not known. */
  readonly toldDraft: string | undefined;
  /** A prompt that was sent and is not yet in the session. It stays in the composer, read-only. */
  readonly pendingPrompt?: string | undefined;
  /** The reason why a prompt came back. */
  readonly returnedMessage?: string | undefined;
  /** The requests that this page has answered. A second click does nothing. */
  readonly answeredRequests: ReadonlySet<string>;
  /** Absent until the host has sent them. */
  readonly serverItems?: ServerItems | undefined;
  /** The commands that a prompt can call. Absent until the host has sent them. */
  readonly commands?: readonly SlashCommand[] | undefined;
  /** The newest answer to `findFiles`. */
  readonly foundFiles?: FoundFiles | undefined;
  /** What the composer's text named when the host last looked. */
  readonly contextChips: readonly ContextChip[];
  /** The code in the editor that the person may add. */
  readonly contextOffer?: ContextOffer | undefined;
  /** What there is to do in the workspace. */
  readonly counts: WorkspaceCounts;
  /** The project's instructions for a new session, and all places whose instructions are switched off. */
  readonly instructions: readonly InstructionChip[];
  readonly instructionsOff: readonly string[];
  /** All places whose instructions were switched off while this page was open. */
  readonly onceOff: ReadonlySet<string>;
  /** Counts the requests to put the focus into the composer. */
  readonly focusRequests: number;
  /** Add this to a time of the host to compare it with this page's clock. */
  readonly clockOffsetMs: number;
}

export const initialState: WebviewState = {
  wasStopped: false,
  lastSeq: 0,
  isOutOfSync: false,
  draft: '',
  attached: [],
  toldDraft: '',
  edits: [],
  contextChips: [],
  counts: { errors: 0 },
  instructions: [],
  instructionsOff: [],
  onceOff: new Set(),
  answeredRequests: new Set(),
  focusRequests: 0,
  clockOffsetMs: 0,
};

/** Returns the state after a fact from the host. Pure. `nowMs`: this page's clock. */
export function receive(state: WebviewState, message: ToWebview, nowMs: number): WebviewState {
  if (message.type === 'snapshot') return takeSnapshot(state, message);
  // The person's own text is kept even when messages were missed.
  const next = message.type === 'prompt_returned' ? takeBack(state, message) : state;
  if (next.panel === undefined || next.isOutOfSync) return next;
  if (message.seq !== next.lastSeq + 1) return { ...next, isOutOfSync: true };
  return takeFact({ ...next, lastSeq: message.seq }, message, nowMs);
}

function takeSnapshot(state: WebviewState, message: Extract<ToWebview, { type: 'snapshot' }>): WebviewState {
  const isFirst = state.panel === undefined;
  const lastPrompt = message.session?.items.findLast((item) => item.kind === 'prompt')?.text;
  const arrived = new Set([lastPrompt, ...(message.session?.waiting ?? []).map(({ text }) => text)]);
  const next: WebviewState = {
    ...state,
    panel: message.panel,
    session: message.session,
    attached: message.attached ?? [],
    wasStopped: message.session?.state === 'stopping',
    lastSeq: message.seq,
    isOutOfSync: false,
    // The page may have been closed before it heard that its prompt arrived: such a draft is dropped. Later snapshots
    // do not change the draft.
    draft: isFirst
      ? firstDraft({ own: state.draft, told: state.toldDraft, host: message.draft }, arrived)
      : state.draft,
    toldDraft: '',
    answeredRequests: new Set(),
  };
  if (next.pendingPrompt === undefined) return next;
  return arrived.has(next.pendingPrompt)
    ? promptArrived(next, next.pendingPrompt)
    : { ...next, pendingPrompt: undefined };
}

function takeFact(state: WebviewState, message: Exclude<ToWebview, { type: 'snapshot' }>, nowMs: number): WebviewState {
  switch (message.type) {
    case 'panel_changed':
      return takePanel(state, message.panel);
    case 'session_events':
      return takeEvents(state, message.sessionId, message.events, nowMs);
    case 'prompt_returned':
      return state;
    case 'text_added':
      return { ...state, draft: withAddedText(state.draft, message.text) };
    case 'images_attached':
      return { ...state, attached: message.images, returnedMessage: message.message ?? state.returnedMessage };
    case 'server_items':
      return { ...state, serverItems: { prompts: message.prompts, resources: message.resources } };
    case 'commands_listed':
      return { ...state, commands: message.commands };
    case 'files_found':
      // Code comes late: the person may have typed more.
      if (message.others && message.typed !== state.foundFiles?.typed) return state;
      return {
        ...state,
        foundFiles: {
          typed: message.typed,
          names: message.names,
          ...(message.isPartial && { isPartial: message.isPartial }),
          ...(message.open && { open: message.open }),
          ...(message.others && { others: message.others }),
        },
      };
    case 'context_changed':
      return {
        ...state,
        contextChips: message.chips,
        contextOffer: message.offer,
        counts: message.counts ?? state.counts,
        instructions: message.instructions ?? [],
        instructionsOff: message.instructionsOff ?? [],
        onceOff: new Set([...state.onceOff, ...(message.instructionsOff ?? [])]),
      };
    case 'copy_message':
    case 'image_found':
    case 'scale_image':
    case 'places_found':
      // The store does that.
      return state;
    case 'prompts_listed':
      return takePrompts(state, message.prompts);
    case 'focus_composer':
      return { ...state, focusRequests: state.focusRequests + 1 };
    default:
      return assertNever(message);
  }
}

function takePanel(state: WebviewState, panel: PanelState): WebviewState {
  const next = { ...state, panel };
  if (panel.activeSessionId === state.session?.sessionId) return next;
  if (panel.activeSessionId === undefined) return { ...next, session: undefined };
  // Events describe a new session fully. An older one needs a snapshot.
  return state.session === undefined ? next : { ...next, isOutOfSync: true };
}

function takeEvents(
  state: WebviewState,
  sessionId: string,
  events: readonly SessionEvent[],
  nowMs: number,
): WebviewState {
  if (state.session !== undefined && state.session.sessionId !== sessionId) return state;
  const session = events.reduce(foldSession, state.session ?? emptyView(sessionId));
  const last = events.at(-1);
  const next: WebviewState = {
    ...state,
    session,
    wasStopped: events.reduce(stoppedAfter, state.wasStopped),
    clockOffsetMs: last === undefined ? state.clockOffsetMs : nowMs - last.ts,
  };
  const { pendingPrompt } = next;
  const hasArrived = events.some(
    (event) =>
      (event.type === 'prompt_added' && event.text === pendingPrompt) ||
      (event.type === 'waiting_changed' && event.waiting.some(({ text }) => text === pendingPrompt)),
  );
  const after = pendingPrompt !== undefined && hasArrived ? promptArrived(next, pendingPrompt) : next;
  const isPrompt = (event: SessionEvent) => event.type === 'prompt_added';
  const arrived = events.filter(isPrompt).map(({ text }) => text);
  // The conversation goes back before the edited prompt arrives.
  return arrived.length > 0 ? settleEdits(after, arrived) : after;
}

function stoppedAfter(before: boolean, event: SessionEvent): boolean {
  if (event.type !== 'state_changed') return before;
  return event.state === 'stopping' || (before && event.state === 'idle');
}

function promptArrived(state: WebviewState, text: string): WebviewState {
  const isSent = state.draft.trim() === text;
  // The text from before the walk comes back.
  const after = isSent ? { draft: state.recall?.prompts ? state.recall.draft : '', recall: undefined } : {};
  return { ...state, ...after, pendingPrompt: undefined, returnedMessage: undefined };
}

function takeBack(
  state: WebviewState,
  { text, message, replaces }: Extract<ToWebview, { type: 'prompt_returned' }>,
): WebviewState {
  const held = state.draft.trim();
  // An empty text in place of a prompt: the host did what it asked for.
  const isDone = text === '' && replaces !== undefined;
  const isReplaced = held === '' || held === replaces?.trim();
  const isThere = held === text.trim() || (text === '' && !(isDone && isReplaced));
  const draft = isThere ? state.draft : isReplaced ? text : `${text}\n\n${state.draft}`;
  const returned = state.edits.find((edit) => edit.text.trim() === text.trim());
  const edits = returned ? withoutEdit(state.edits, returned.promptId) : state.edits;
  return { ...state, draft, edits, pendingPrompt: undefined, returnedMessage: message };
}
