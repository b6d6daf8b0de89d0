import type { FromWebview } from '../../protocol/fromWebview';
import type { ToWebview } from '../../protocol/toWebview';
import type { WhenSubmitted } from '../../agent/view/sessionView';
import { MAX_FILE_NAME } from '../../agent/view/messageLimits';
import { withAddedText } from '../../agent/view/prompt/draftText';
import { withoutMention } from '../../agent/view/prompt/mentionText';
import { MentionedPlaces } from '../markdown/mentionedPlaces';
import { messageText, type CopyFormat } from '../conversation/copying/answerText';
import { QuestionSight } from '../approval/questionSight';
import { SteadyForms } from '../approval/steadyForms';
import { whyNoImages } from '../images/imageWords';
import { Pictures } from '../images/pictures';
import { messageOf } from '../../util/errors';
import type { HostLink, SavedState } from './hostLink';
import { withEdit, withoutEdit, type PromptEdit } from './promptEdits';
import { takeTyped, unsentText, walk } from './recall';
import { initialState, receive, type WebviewState } from './webviewState';

/** The scroll position of the message list. */
export interface ScrollPlace {
  readonly scrollTop: number;
  readonly isFollowing: boolean;
  /** Unless it follows: the key of the row at the top of the view, and the distance from its top in pixels. */
  readonly row?: string | undefined;
  readonly rowOffset?: number | undefined;
}

const saveDelayMs = 400;
/** A growing text is drawn at most once in this time. The host sends it about every 50 ms, unless messages pile up. */
const growDelayMs = 40;

/** Holds the page's state, notifies listeners of changes and sends all intents. */
export class PanelStore {
  /** Since when each question is on screen. */
  readonly sight = new QuestionSight();
  /** Which questions have just moved on the screen. */
  readonly steadyForms = new SteadyForms();
  /** The files that answers name. */
  readonly places: MentionedPlaces;
  readonly pictures: Pictures;
  readonly #host: HostLink;
  readonly #onNextFrame: (task: () => void) => void;
  readonly #listeners = new Set<() => void>();
  #state: WebviewState;
  /** Whether more than a growing text waits to be drawn. `undefined`: nothing waits. */
  #isUrgent: boolean | undefined;
  #notifiedAt = 0;
  /** Images on their way to the host. A prompt that is sent meanwhile waits for them. */
  #attaching = 0;
  #submitLater: { readonly when: WhenSubmitted | undefined } | undefined;
  #isDraftSent = true;
  /** The draft that the host knows. */
  #told: string | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** Of the sessions that this page has shown. */
  readonly #scrollPlaces = new Map<string, ScrollPlace>();
  #restorable: SavedState | undefined;

  constructor(parts: { readonly host: HostLink; readonly onNextFrame: (task: () => void) => void }) {
    this.#host = parts.host;
    this.#onNextFrame = parts.onNextFrame;
    this.places = new MentionedPlaces({
      ask: (names) => this.#host.post({ type: 'findPlaces', names: [...names] }),
      onNextFrame: parts.onNextFrame,
    });
    this.pictures = new Pictures((hash) => this.#host.post({ type: 'findImage', hash }));
    this.#restorable = parts.host.load();
    const { draft = '', isDraftSent = true, told, edits = [] } = this.#restorable ?? {};
    this.#isDraftSent = isDraftSent;
    this.#told = isDraftSent ? draft : told;
    // A draft that the host knows comes back with its snapshot. Only an unsent one is shown at once.
    this.#state = { ...initialState, edits, toldDraft: this.#told, ...(!isDraftSent && { draft }) };
  }

  get state(): WebviewState {
    return this.#state;
  }

  /** Calls `listener` after every change. Returns a function that unsubscribes it. */
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
    this.#followPlaces(before, message);
    if (message.type === 'images_attached' && message.isAnswer) this.#attached();
    if (message.type === 'image_found') this.pictures.receive(message.hash, message.image);
    if (message.type === 'scale_image') void this.#scaleImage(message.id, message.image);
    if (message.type === 'copy_message') void this.copyMessage(message.itemId, message.format);
    if (this.#state !== before) this.#notifySoon(isGrowth(message));
    if (this.#state.edits !== before.edits) this.#save();
    if (this.#state.isOutOfSync && !before.isOutOfSync) this.#host.post({ type: 'needSnapshot' });
    const isFirst = message.type === 'snapshot' && before.panel === undefined;
    if (isFirst) this.#told = message.draft;
    const known = isFirst ? message.draft : before.draft;
    if (this.#state.draft !== known || (isFirst && !this.#isDraftSent)) this.flushDraft();
  }

  post(message: FromWebview): void {
    this.#host.post(message);
  }

  setDraft(draft: string): void {
    if (draft === this.#state.draft) return;
    this.#set(takeTyped(this.#state, draft));
    this.#isDraftSent = false;
    this.#save();
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.flushDraft(), saveDelayMs);
  }

  /** Shows an older or newer prompt of the workspace in the composer. */
  recall(to: 'older' | 'newer'): void {
    if (to === 'older' && this.#state.recall === undefined) this.#host.post({ type: 'listPrompts' });
    this.#set(walk(this.#state, to));
  }

  /** Begins to edit a sent prompt in its place, or changes the edit. */
  setEdit(edit: PromptEdit): void {
    this.#set({ ...this.#state, edits: withEdit(this.#state.edits, edit) });
    this.#save();
  }

  endEdit(promptId: string): void {
    this.#set({ ...this.#state, edits: withoutEdit(this.#state.edits, promptId) });
    this.#save();
  }

  /** Puts a text into the composer and focuses it. */
  suggest(text: string): void {
    this.setDraft(text);
    this.focusComposer();
  }

  /** Names something in the text, at its end. */
  addMention(written: string): void {
    this.setDraft(withAddedText(this.#state.draft, written));
    this.flushDraft();
    this.focusComposer();
  }

  /** Takes a name out of the text. */
  removeMention(written: string): void {
    this.setDraft(withoutMention(this.#state.draft, written));
    this.flushDraft();
    this.focusComposer();
  }

  focusComposer(): void {
    this.#set({ ...this.#state, focusRequests: this.#state.focusRequests + 1 });
  }

  /** Sends an unsent draft before the page unloads. It may not arrive, so the next page takes it for unsent. */
  beforeUnload(): void {
    if (!this.#isDraftSent) this.#host.post({ type: 'saveDraft', text: unsentText(this.#state) });
  }

  /** Sends a draft that still waits. A tab that closes hands over only what the host knows. */
  flushUnsent(): void {
    if (!this.#isDraftSent) this.flushDraft();
  }

  /** Sends the draft to the host at once. */
  flushDraft(): void {
    clearTimeout(this.#saveTimer);
    this.#isDraftSent = true;
    this.#told = unsentText(this.#state);
    this.#save();
    this.#host.post({ type: 'saveDraft', text: this.#told });
  }

  /** Submits the draft. It stays in the composer until the session shows it or the host returns it. */
  submit(when?: WhenSubmitted): void {
    if (this.#attaching > 0) {
      this.#submitLater = { when };
      return;
    }
    const { panel, attached } = this.#state;
    const text = this.#state.draft.trim();
    const images = panel && whyNoImages(panel) === undefined ? attached.map(({ hash }) => hash) : [];
    if ((text === '' && images.length === 0) || this.#state.pendingPrompt !== undefined) return;
    this.#set({ ...this.#state, pendingPrompt: text, returnedMessage: undefined });
    const sessionId = this.#state.session?.sessionId;
    this.#host.post({
      type: 'submitPrompt',
      ...(sessionId !== undefined && { sessionId }),
      text,
      ...(images.length > 0 && { images }),
      ...(when && { when }),
    });
  }

  /** Scales images down and attaches them to the next prompt. What cannot be attached is said above the field. */
  async attachImages(files: readonly File[]): Promise<void> {
    for (const file of files) {
      this.#attaching += 1;
      try {
        const { prepareImage } = await import('../images/prepareImage');
        const { name, image } = await prepareImage(file);
        this.#host.post({ type: 'attachImage', name: name.slice(0, MAX_FILE_NAME), image });
      } catch (error) {
        this.#submitLater = undefined;
        this.#set({ ...this.#state, returnedMessage: messageOf(error) });
        this.#attached();
      }
    }
  }

  /** Scales an image for the host, which cannot. */
  async #scaleImage(id: string, original: string): Promise<void> {
    let image: string | undefined;
    try {
      image = await (await import('../images/prepareImage')).scaleImage(original);
    } catch {
      // The host sends it as it is.
    }
    this.#host.post({ type: 'imageScaled', id, ...(image !== undefined && { image }) });
  }

  /** The host has one more of the images, or refused it. */
  #attached(): void {
    this.#attaching = Math.max(0, this.#attaching - 1);
    if (this.#attaching > 0 || !this.#submitLater) return;
    const { when } = this.#submitLater;
    this.#submitLater = undefined;
    this.submit(when);
  }

  /** Copies a prompt or a whole answer. Without `itemId`: the newest answer. */
  async copyMessage(itemId: string | undefined, format: CopyFormat): Promise<void> {
    const text = await messageText(this.#state.session?.items ?? [], itemId, format);
    if (text !== undefined) this.#host.post({ type: 'copyText', text });
  }

  /** Says something above the composer. */
  say(message: string): void {
    this.#set({ ...this.#state, returnedMessage: message });
  }

  dismissReturned(): void {
    this.#set({ ...this.#state, returnedMessage: undefined });
  }

  /** Sends the first decision for a request and ignores later ones. */
  answer(decision: Extract<FromWebview, { type: 'approve' | 'deny' }>): void {
    if (this.#state.answeredRequests.has(decision.requestId)) return;
    this.#set({ ...this.#state, answeredRequests: new Set([...this.#state.answeredRequests, decision.requestId]) });
    this.#host.post(decision);
  }

  /** Answers several edits at once. */
  answerEdits(sessionId: string, edits: readonly { readonly requestId: string }[], isAccepted: boolean): void {
    const requestIds = edits.map(({ requestId }) => requestId);
    this.#set({ ...this.#state, answeredRequests: new Set([...this.#state.answeredRequests, ...requestIds]) });
    this.#host.post({ type: 'answerEdits', sessionId, requestIds, isAccepted });
  }

  /** Where the list of a session was when it was last shown, here or before the page was hidden. */
  scrollPlace(sessionId: string): ScrollPlace | undefined {
    const saved = this.#restorable;
    this.#restorable = undefined;
    return this.#scrollPlaces.get(sessionId) ?? (saved?.sessionId === sessionId ? saved : undefined);
  }

  saveScrollPlace(sessionId: string, place: ScrollPlace): void {
    this.#scrollPlaces.set(sessionId, place);
    if (sessionId === this.#state.session?.sessionId) this.#save();
  }

  #set(state: WebviewState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#notify();
  }

  #followPlaces({ session: before }: WebviewState, message: ToWebview): void {
    const { session } = this.#state;
    if (message.type === 'places_found') this.places.receive(message);
    else if (session?.sessionId !== before?.sessionId) this.places.reset();
    else if (session?.state === 'idle' && before?.state !== 'idle') this.places.lookAgain();
    else if (message.type === 'snapshot') this.places.lookAgain();
    else if (session?.items.length !== before?.items.length) this.places.forgetMissing();
  }

  /** Batches the host's messages into one update a frame, a growing text less often. The person's actions update at once. */
  #notifySoon(isGrowth: boolean): void {
    const isWaiting = this.#isUrgent !== undefined;
    this.#isUrgent ||= !isGrowth;
    if (isWaiting) return;
    const notify = (): void => {
      const now = performance.now();
      if (!this.#isUrgent && now - this.#notifiedAt < growDelayMs) return this.#onNextFrame(notify);
      this.#isUrgent = undefined;
      this.#notifiedAt = now;
      this.#notify();
    };
    this.#onNextFrame(notify);
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #save(): void {
    const sessionId = this.#state.session?.sessionId;
    this.#host.save({
      draft: unsentText(this.#state),
      isDraftSent: this.#isDraftSent,
      told: this.#told,
      edits: this.#state.edits,
      sessionId,
      ...(this.#scrollPlaces.get(sessionId ?? '') ?? { scrollTop: 0, isFollowing: true }),
    });
  }
}

/** Whether a message only makes texts of the model longer. */
function isGrowth(message: ToWebview): boolean {
  return (
    message.type === 'session_events' &&
    message.events.every((event) => event.type === 'agent' && event.event.type.endsWith('_delta'))
  );
}
