import type { AgentSession } from '../../agent/session/agentSession';
import type { ImagePart } from '../../sdk/messages';
import { describeImage } from '../../sdk/session/images/imageStore';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import type { Prompt } from '../../agent/session/prompt';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { PromptItem, WhenSubmitted } from '../../agent/view/sessionView';
import type { PanelState } from '../../protocol/toWebview';
import { parseFromWebview } from '../../protocol/fromWebview';
import type { Disposable } from '../../util/disposable';
import { AttachedImages } from './prompt/attachedImages';
import { Drafts } from './prompt/drafts';
import { handleIntent, type IntentPanel } from './handleIntent';
import { ImageScaler } from './prompt/imageScaler';
import { PanelChannel, type Fact } from './panelChannel';
import type { PanelControllerParts } from './panelParts';
import { panelStateOf } from './panelState';
import type { PanelBadge, PanelHost, PanelPort } from './page/panelPage';
import { SessionListing } from './sessionListing';
import { ShownSession } from './shownSession';
import type { ReturnedPrompt } from './prompt/submitTyped';
import { messageOf } from '../../util/errors';
import { TurnQueue } from '../../util/async/turnQueue';
import * as l10n from '../../util/l10n';

interface Submission {
  readonly isTyped: boolean;
  readonly sessionId?: string | undefined;
  readonly when?: WhenSubmitted | undefined;
}

const serverTroubles: ReadonlySet<string> = new Set([
  'connection',
  'unauthorized',
  'not_found',
  'not_openai_compatible',
]);

/**
 * The state of the panel, with or without a webview. Intents of the webview go to the sessions; facts go back. A
 * webview that says `ready` gets a snapshot, then every fact in order.
 */
export class PanelController implements PanelHost, IntentPanel, Disposable {
  readonly #parts: PanelControllerParts;
  readonly #channel: PanelChannel;
  readonly #drafts: Drafts;
  readonly #images: AttachedImages;
  readonly #scaler: ImageScaler;
  readonly #listing: SessionListing;
  readonly #subscriptions: readonly Disposable[];
  readonly #shown: ShownSession;
  /** Changes of the session on screen take turns. */
  readonly #turns = new TurnQueue();
  #port: PanelPort | undefined;
  #badge: PanelBadge | undefined;

  constructor(parts: PanelControllerParts) {
    this.#parts = parts;
    const { registry, server, doctor, agents, memory, schedule } = parts;
    this.#channel = new PanelChannel({ schedule });
    this.#drafts = new Drafts({ memory, onInternalError: parts.log.error });
    this.#images = new AttachedImages({ memory, store: registry.images });
    this.#scaler = new ImageScaler({
      post: (fact) => this.#channel.post(fact),
      isOpen: () => this.#channel.isOpen,
      setTimer: schedule,
    });
    this.#listing = new SessionListing({ registry, onChange: () => this.stateChanged() });
    this.#shown = new ShownSession({
      ...parts,
      onLeave: () => {
        this.#channel.flush();
        this.#drafts.forgetSent();
      },
      onEvent: (session, event) => this.#onEvent(session, event),
    });
    this.#subscriptions = [
      this.#channel,
      this.#shown,
      server.onChange(() => this.stateChanged()),
      agents.onChange(() => this.stateChanged()),
      parts.background.onChange(() => this.stateChanged()),
      doctor.onChange(() => this.stateChanged()),
      parts.local.onChange(() => this.stateChanged()),
      parts.mcp.onChange(() => this.stateChanged()),
      parts.context.onChange(() => this.#sendContext()),
      registry.onChange(() => this.#guard(this.#listing.refresh())),
    ];
    this.#guard(this.#turns.run(() => this.#images.restore()));
    this.#guard(this.#turns.run(() => this.#shown.restore()));
    this.#guard(this.#listing.refresh());
  }

  attach(port: PanelPort): void {
    this.#port = port;
    this.#channel.attach(port);
    port.showBadge(this.#badge);
    this.#showTitle();
  }

  detach(port: PanelPort): void {
    if (!this.#channel.isAt(port)) return;
    this.#port = undefined;
    this.#channel.detach();
    this.#onHidden();
  }

  setVisible(port: PanelPort, isVisible: boolean): void {
    if (!this.#channel.isAt(port) || isVisible) return;
    this.#channel.hide();
    this.#onHidden();
  }

  receive(port: PanelPort, message: unknown): void {
    if (!this.#channel.isAt(port)) return;
    const parsed = parseFromWebview(message);
    if (parsed.ok) this.#guard(handleIntent(parsed.intent, this, this.#parts));
    else this.#parts.log.warn(`The panel sent an unknown message: ${parsed.error}`);
  }

  /** Opens the channel: the webview has a document that is still empty. */
  async ready(): Promise<void> {
    await this.#turns.settled();
    this.#channel.open(this.#snapshot());
    this.#sendContext();
    this.#parts.context.lookAgain();
    this.#parts.surroundings.setWatched(true);
    this.#parts.trySandbox();
  }

  /** Sends everything again, after the webview missed a fact. */
  sendSnapshot(): void {
    this.#channel.snapshot(this.#snapshot());
    this.#showTitle();
  }

  /** Resolves when all changes asked for so far are done. */
  async settled(): Promise<void> {
    await this.#turns.settled();
  }

  /**
   * Sends a command's prompt in a session of its own: what is on screen may be about something else, and goes on.
   * Never rejects: a failed prompt goes back to the composer.
   */
  submit(prompt: Prompt): Promise<void> {
    return this.#submit(prompt, { isTyped: false });
  }

  /** Sends a typed prompt to a session, or to the one on screen; creates one if there is none. Never rejects likewise. */
  submitTyped(prompt: Prompt, sessionId: string | undefined, when?: WhenSubmitted): Promise<void> {
    return this.#submit(prompt, { isTyped: true, sessionId, when });
  }

  #submit(prompt: Prompt, { isTyped, sessionId, when }: Submission): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      try {
        const { current } = this.#shown;
        if (!isTyped && current && current.view.items.length > 0) this.#empty();
        const session = await this.#sessionFor(sessionId);
        if (isTyped) this.#drafts.sending(prompt.text);
        await session.submit(prompt, when);
        if (session.view.waiting?.some(({ text }) => text === prompt.text)) this.#drafts.keptWaiting(prompt.text);
        await this.#drafts.sent(prompt.text);
        if (prompt.images) await this.#imagesSent(prompt.images);
      } catch (error) {
        this.#parts.log.error(error);
        await this.#drafts.sendFailed(prompt.text);
        const message = l10n.t('The message could not be sent: {0}', messageOf(error));
        this.#channel.post({ type: 'prompt_returned', text: prompt.text, message });
      }
    });
  }

  attachedImages(hashes: readonly string[]): Promise<readonly ImagePart[]> {
    return this.#images.find(hashes);
  }

  /** Scales images of files down, as far as a page can. Never rejects. */
  scaleImages(images: readonly ImagePart[]): Promise<readonly ImagePart[]> {
    return this.#scaler.scaleAll(images);
  }

  imageScaled(id: string, image: string | undefined): void {
    this.#scaler.receive(id, image);
  }

  /** Attaches an image to the next prompt. Never rejects: what is wrong with it is shown. */
  attachImage(image: ImagePart): Promise<void> {
    return this.#turns.run(async () => {
      let message: string | undefined;
      try {
        await this.#images.attach(image);
      } catch (error) {
        message = messageOf(error);
      }
      this.#showImages({ isAnswer: true, ...(message !== undefined && { message }) });
    });
  }

  detachImage(hash: string): Promise<void> {
    return this.#turns.run(async () => {
      await this.#images.remove([hash]);
      this.#showImages();
    });
  }

  /** Sends the bytes of an image to the page: of the session on screen, or of the next prompt. */
  async findImage(hash: string): Promise<void> {
    const [attached] = await this.#images.find([hash]);
    const image = attached ?? (await this.#shown.current?.findImage(hash));
    this.#channel.post({
      type: 'image_found',
      hash,
      ...(typeof image?.image === 'string' && { image: image.image }),
    });
  }

  /** The images of a prompt that returns to the composer. */
  async #returnImages(images: readonly StoredImage[] | undefined): Promise<void> {
    if (!images) return;
    await this.#images.add(...images);
    this.#showImages();
  }

  async #imagesSent(images: readonly ImagePart[]): Promise<void> {
    await this.#images.remove(images.map((image) => describeImage(image).hash));
    this.#showImages();
  }

  #showImages(answer: { readonly isAnswer?: true; readonly message?: string } = {}): void {
    this.#channel.post({ type: 'images_attached', images: this.#images.list, ...answer });
  }

  /** Takes back a prompt that waits. An edited one returns to the composer. */
  async withdrawPrompt(sessionId: string, promptId: string, isEdited: boolean): Promise<void> {
    const session = await this.#parts.registry.open(sessionId);
    const text = session.withdraw(promptId);
    if (text === undefined || !isEdited) return;
    await this.#drafts.addAbove(text);
    this.#channel.post({ type: 'prompt_returned', text });
    this.focusComposer();
  }

  /** Returns a typed prompt, or another text for it, to the composer. */
  async returnPrompt(typed: string, { text = typed, message }: ReturnedPrompt): Promise<void> {
    if (text !== typed) await this.#drafts.replace(typed, text);
    this.#channel.post({ type: 'prompt_returned', text, message, ...(text !== typed && { replaces: typed }) });
  }

  /** Adds a text to what is typed, and focuses the field. */
  async addText(text: string): Promise<void> {
    await this.#drafts.add(text);
    this.#channel.post({ type: 'text_added', text });
    this.focusComposer();
  }

  /** Puts an unsent text above what is typed. */
  async addDraft(text: string): Promise<void> {
    await this.#drafts.addAbove(text);
    this.#channel.post({ type: 'prompt_returned', text });
  }

  post(fact: Fact): void {
    this.#channel.post(fact);
  }

  /** Empties the panel. The session that was on screen goes on and stays in the list. */
  newSession(): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      this.#empty();
      this.#parts.context.lookAgain();
    });
  }

  get activeSessionId(): string | undefined {
    return this.#shown.current?.id;
  }

  showSession(sessionId: string): Promise<void> {
    return this.#show(() => this.#parts.registry.open(sessionId));
  }

  /** Shows a session that another window had open and has closed. */
  async takeOverSession(sessionId: string): Promise<void> {
    await this.#show(() => this.#parts.registry.takeOver(sessionId));
    await this.#parts.surroundings.sessionClosed(sessionId);
  }

  /** Shows the session on screen anew after another chat closed it. When it is gone, the panel is empty. Never rejects. */
  openAgain(sessionId: string): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.isActive(sessionId)) return;
      const session = await this.#parts.registry.open(sessionId).catch(() => undefined);
      this.#shown.show(session);
      this.sendSnapshot();
    });
  }

  /** Lists the sessions that match a search. An empty search lists all. */
  searchSessions(query: string): Promise<void> {
    return this.#listing.search(query);
  }

  /** Keeps the unsent text, so it survives a reload. */
  saveDraft(text: string): Promise<void> {
    if (text !== '') this.#parts.onTyping();
    return this.#drafts.saveDraft(text);
  }

  /**
   * Shows a copy of the session up to a prompt, and puts the prompt into the composer. Without `beforeId` it copies
   * everything.
   */
  async forkSession(sessionId: string, beforeId?: string): Promise<void> {
    let prompt: string | undefined;
    await this.#show(async () => {
      const fork = await this.#parts.registry.fork(sessionId, beforeId);
      ({ prompt } = fork);
      if (beforeId !== undefined) await this.#returnImages(fork.images);
      return this.#parts.registry.open(fork.id);
    });
    if (prompt === undefined) return;
    if (this.#drafts.draft.trim() === '') await this.#drafts.saveDraft(prompt);
    const message = l10n.t('This is a copy of the session up to here. Change the message or send it again.');
    this.#channel.post({ type: 'prompt_returned', text: prompt, message });
  }

  /** Ends the session and moves it to the trash. Rejects when another window has it open. */
  deleteSession(sessionId: string): Promise<void> {
    return this.#turns.run(async () => {
      await this.#parts.registry.delete(sessionId);
      if (this.isActive(sessionId)) this.#empty();
      await this.#parts.surroundings.sessionClosed(sessionId);
    });
  }

  /** Stops the run of the session on screen. */
  async stop(): Promise<void> {
    await this.#shown.current?.stop();
  }

  /** Goes back to before a prompt. When the conversation goes back, its text returns to the composer. */
  async restoreTo(sessionId: string, promptId: string): Promise<void> {
    const session = await this.#parts.registry.open(sessionId);
    const images = imagesOfPrompt(session, promptId);
    const text = await this.#parts.restore.restoreTo(session, promptId);
    if (text === undefined) return;
    await this.#returnImages(images);
    await this.#drafts.addAbove(text);
    if (this.isActive(sessionId)) this.#channel.post({ type: 'prompt_returned', text });
    this.focusComposer();
  }

  /** The prompts of the session on screen, newest first. */
  get prompts(): readonly PromptItem[] {
    const items = this.#shown.current?.view.items ?? [];
    return items
      .filter((item) => item.kind === 'prompt')
      .filter(({ isSteering }) => !isSteering)
      .toReversed();
  }

  /** Whether this session is in the panel, which may be hidden. */
  isActive(sessionId: string): boolean {
    return this.#shown.current?.id === sessionId;
  }

  /** Whether the person sees this session. */
  isShown(sessionId: string): boolean {
    return this.isActive(sessionId) && this.#channel.isOpen;
  }

  /** Whether the person sees the panel. */
  get isOpen(): boolean {
    return this.#channel.isOpen;
  }

  /** The unsent text. */
  get draft(): string {
    return this.#drafts.draft;
  }

  /** Brings the panel on screen and the focus into it. */
  reveal(): Promise<void> {
    return this.#parts.surroundings.reveal();
  }

  /** Focuses the composer, as soon as it exists. */
  focusComposer(): void {
    this.#channel.focusComposer();
  }

  /** Shows a number at the view's icon, now and on later views. `undefined` removes it. */
  showBadge(badge: PanelBadge | undefined): void {
    if (badge?.value === this.#badge?.value && badge?.tooltip === this.#badge?.tooltip) return;
    this.#badge = badge;
    this.#port?.showBadge(badge);
  }

  /** Checks the server and the model, and shows the report until the person goes to a conversation. */
  checkServer(): void {
    this.#guard(this.#parts.doctor.start());
  }

  /** Sends the state around the conversation. Called from outside when trust or folders change. */
  stateChanged(): void {
    // Without a page the work would be in vain: its first message asks for everything.
    if (this.#channel.isOpen) this.#channel.post({ type: 'panel_changed', panel: this.#panelState() });
    this.#showTitle();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.toReversed()) subscription.dispose();
  }

  /** The page is gone, and cannot tell that it lost the focus. */
  #onHidden(): void {
    this.#scaler.giveUp();
    this.#parts.surroundings.setWatched(false);
    this.#parts.surroundings.showFocused(false);
  }

  #showTitle(): void {
    this.#port?.showTitle(this.#shown.current?.view.title ?? '');
  }

  #sendContext(): void {
    this.#channel.post({ type: 'context_changed', ...this.#parts.context.state });
  }

  /** Shows a session. Never rejects: an error is shown, and the panel stays as it is. */
  #show(find: () => Promise<AgentSession>): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      try {
        const session = await find();
        this.#shown.show(session);
        this.sendSnapshot();
      } catch (error) {
        this.#parts.log.error(error);
        this.#parts.actions.showError(messageOf(error));
      }
    });
  }

  /** Shows no session. An empty panel takes the events of any session; one with another session would need a snapshot. */
  #empty(): void {
    this.#shown.show(undefined);
    this.stateChanged();
  }

  async #sessionFor(sessionId: string | undefined): Promise<AgentSession> {
    const { current } = this.#shown;
    if (current && (sessionId === undefined || this.isActive(sessionId))) return current;
    const { registry } = this.#parts;
    const session = sessionId === undefined ? await registry.create() : await registry.open(sessionId);
    this.#shown.show(session);
    // No snapshot: the panel keeps the prompt it waits for, and the session's events follow.
    this.stateChanged();
    return session;
  }

  #onEvent(session: AgentSession, event: SessionEvent): void {
    this.#channel.push(session.id, event);
    if (event.type === 'state_changed') this.#parts.surroundings.showRunning(session.view.state !== 'idle');
    if (event.type === 'titled') this.#showTitle();
    if (event.type === 'agent' && event.event.type === 'user_message' && event.event.origin === 'prompt')
      this.#drafts.written();
    if (event.type === 'state_changed' && session.view.state === 'idle') this.#drafts.settled();
    // The panel's state of the server is out of date.
    if (event.type === 'failed' && serverTroubles.has(event.error.code))
      void this.#parts.server.refresh({ quiet: true });
  }

  #snapshot() {
    const session = this.#shown.current?.view;
    return {
      type: 'snapshot',
      panel: this.#panelState(),
      session,
      draft: this.#drafts.draft,
      attached: this.#images.list,
    } as const;
  }

  #panelState(): PanelState {
    return panelStateOf(this.#parts, this.#listing, this.activeSessionId);
  }

  #guard(work: Promise<unknown>): void {
    work.catch(this.#parts.log.error);
  }
}

function imagesOfPrompt({ entries }: AgentSession, promptId: string): readonly StoredImage[] | undefined {
  const entry = entries.find(({ id }) => id === promptId);
  return entry?.type === 'user_message' ? entry.images : undefined;
}
