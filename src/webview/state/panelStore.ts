import type { FromWebview } from '../../protocol/intents';
import type { ToWebview } from '../../protocol/messages';
import type { HostLink, SavedState } from './hostLink';
import { initialState, receive, type WebviewState } from './webviewState';

/** Where the message list is scrolled to. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly isFollowing: boolean;
}

const saveDelayMs = 400;

/** Holds the page's state, tells listeners of changes, and is the one place where intents are sent from. */
export class PanelStore {
  readonly #host: HostLink;
  readonly #onNextFrame: (task: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #state: WebviewState;
  #isNotifying = false;
  #isDraftSent = true;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #scroll: ScrollPlace = { scrollTop: 0, isFollowing: true };
  #restorable: SavedState | undefined;

  constructor(parts: { readonly host: HostLink; readonly onNextFrame: (task: () => void) => void }) {
    this.#host = parts.host;
    this.#onNextFrame = parts.onNextFrame;
    this.#restorable = parts.host.load();
    const { draft = '', isDraftSent = true } = this.#restorable ?? {};
    this.#isDraftSent = isDraftSent;
    // A draft the host has is shown when its snapshot comes; one it does not have is only here.
    this.#state = { ...initialState, ...(isDraftSent ? { toldDraft: draft } : { draft }) };
  }

  get state(): WebviewState {
    return this.#state;
  }

  /** Calls `listener` after every change; call what is returned to end that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks the host for the first snapshot. */
  start(): void {
    this.#host.post({ type: 'ready' });
  }

  receive(message: ToWebview): void {
    const before = this.#state;
    this.#state = receive(before, message, Date.now());
    if (this.#state !== before) this.#notifySoon();
    if (this.#state.isOutOfSync && !before.isOutOfSync) this.#host.post({ type: 'needSnapshot' });
    const isFirst = message.type === 'snapshot' && before.panel === undefined;
    const known = isFirst ? message.draft : before.draft;
    if (this.#state.draft !== known || (isFirst && !this.#isDraftSent)) this.flushDraft();
  }

  post(message: FromWebview): void {
    this.#host.post(message);
  }

  setDraft(draft: string): void {
    if (draft === this.#state.draft) return;
    this.#set({ ...this.#state, draft });
    this.#isDraftSent = false;
    this.#save();
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.flushDraft(), saveDelayMs);
  }

  /** Puts a text into the composer and the focus with it. */
  suggest(text: string): void {
    this.setDraft(text);
    this.#set({ ...this.#state, focusRequests: this.#state.focusRequests + 1 });
  }

  focusComposer(): void {
    this.#set({ ...this.#state, focusRequests: this.#state.focusRequests + 1 });
  }

  /** The page goes away: what was typed last is told at once. */
  beforeUnload(): void {
    if (!this.#isDraftSent) this.flushDraft();
  }

  /** Tells the host what is in the composer, now. */
  flushDraft(): void {
    clearTimeout(this.#saveTimer);
    this.#isDraftSent = true;
    this.#save();
    this.#host.post({ type: 'saveDraft', text: this.#state.draft });
  }

  /** Sends the draft. It stays in the composer until the session shows it or the host gives it back. */
  submit(): void {
    const text = this.#state.draft.trim();
    if (text === '' || this.#state.pendingPrompt !== undefined) return;
    this.#set({ ...this.#state, pendingPrompt: text, returnedMessage: undefined });
    const sessionId = this.#state.session?.sessionId;
    this.#host.post({ type: 'submitPrompt', ...(sessionId !== undefined && { sessionId }), text });
  }

  dismissReturned(): void {
    this.#set({ ...this.#state, returnedMessage: undefined });
  }

  /** Sends a decision, the first for its request only. */
  answer(decision: Extract<FromWebview, { type: 'approve' | 'deny' }>): void {
    if (this.#state.answeredRequests.has(decision.requestId)) return;
    this.#set({ ...this.#state, answeredRequests: new Set([...this.#state.answeredRequests, decision.requestId]) });
    this.#host.post(decision);
  }

  /** Where the list of this session was before the page was hidden; known once, for the first session shown. */
  takeScrollPlace(sessionId: string): ScrollPlace | undefined {
    const saved = this.#restorable;
    this.#restorable = undefined;
    return saved?.sessionId === sessionId ? saved : undefined;
  }

  saveScrollPlace(place: ScrollPlace): void {
    this.#scroll = place;
    this.#save();
  }

  #set(state: WebviewState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#notify();
  }

  /** What a person does shows at once; what the host says shows once a frame, however much it is. */
  #notifySoon(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    this.#onNextFrame(() => {
      this.#isNotifying = false;
      this.#notify();
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #save(): void {
    this.#host.save({
      draft: this.#state.draft,
      isDraftSent: this.#isDraftSent,
      sessionId: this.#state.session?.sessionId,
      ...this.#scroll,
    });
  }
}
