import type { AgentSession } from '../../agent/session/agentSession';
import type { Prompt } from '../../agent/session/prompt';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { PromptItem } from '../../agent/view/sessionView';
import type { PanelState } from '../../protocol/messages';
import type { McpItems } from '../../mcp/mcpServers';
import { parseFromWebview } from '../../protocol/intents';
import type { Disposable } from '../../util/disposable';
import { handleIntent, type IntentPanel } from './handleIntent';
import { PanelLine } from './panelLine';
import type { PanelControllerParts } from './panelParts';
import { panelStateOf } from './panelState';
import type { PanelHost, PanelPort } from './panelView';
import { SessionListing } from './sessionListing';
import type { GivenBack } from './submitTyped';
import { TypedWords } from './typedWords';
import { messageOf } from '../../util/errors';
import { TurnQueue } from '../../util/turnQueue';

interface ActiveSession {
  readonly session: AgentSession;
  readonly subscription: Disposable;
}

const activeKey = 'openAgent.activeSession';

/**
 * The state of the panel, with or without a webview. Intents of the webview go to the sessions; facts go back. A
 * webview that says `ready` gets a snapshot, then every fact in order.
 */
export class PanelController implements PanelHost, IntentPanel, Disposable {
  readonly #parts: PanelControllerParts;
  readonly #line: PanelLine;
  readonly #words: TypedWords;
  readonly #listing: SessionListing;
  readonly #subscriptions: readonly Disposable[];
  #active: ActiveSession | undefined;
  /** Changes of the session on screen take turns. */
  readonly #turns = new TurnQueue();

  constructor(parts: PanelControllerParts) {
    this.#parts = parts;
    const { registry, server, doctor, agents, memory, schedule } = parts;
    this.#line = new PanelLine({ schedule });
    this.#words = new TypedWords({ memory, onInternalError: parts.log.error });
    this.#listing = new SessionListing({ registry, onChange: () => this.#panelChanged() });
    this.#subscriptions = [
      server.onChange(() => this.#panelChanged()),
      agents.onChange(() => this.#panelChanged()),
      parts.background.onChange(() => this.#panelChanged()),
      doctor.onChange(() => this.#panelChanged()),
      parts.mcp.onChange(() => this.#panelChanged()),
      registry.onChange(() => this.#guard(this.#listing.refresh())),
    ];
    this.#guard(this.#turns.run(() => this.#restore()));
    this.#guard(this.#listing.refresh());
  }

  attach(port: PanelPort): void {
    this.#line.attach(port);
  }

  detach(port: PanelPort): void {
    if (!this.#line.isAt(port)) return;
    this.#line.detach();
    this.#parts.server.setWatched(false);
  }

  setVisible(port: PanelPort, isVisible: boolean): void {
    if (!this.#line.isAt(port) || isVisible) return;
    this.#line.hide();
    this.#parts.server.setWatched(false);
  }

  receive(port: PanelPort, message: unknown): void {
    if (!this.#line.isAt(port)) return;
    const parsed = parseFromWebview(message);
    if (parsed.ok) this.#guard(handleIntent(parsed.intent, this, this.#parts));
    else this.#parts.log.warn(`The panel sent something that is not understood: ${parsed.error}`);
  }

  /** Opens the line: the webview has a document that is still empty. */
  async ready(): Promise<void> {
    await this.#turns.settled();
    this.#line.open(this.#snapshot());
    this.#parts.server.setWatched(true);
  }

  /** Sends everything again, after the webview missed a fact. */
  sendSnapshot(): void {
    this.#line.snapshot(this.#snapshot());
  }

  /** Resolves when all changes asked for so far are done. */
  async settled(): Promise<void> {
    await this.#turns.settled();
  }

  /**
   * Sends a command's prompt to the session on screen; creates one if there is none. Never rejects: a failed prompt
   * goes back to the composer.
   */
  submit(prompt: Prompt): Promise<void> {
    return this.#submit(prompt, { isTyped: false });
  }

  /** Sends a typed prompt likewise. */
  submitTyped(prompt: Prompt, sessionId: string | undefined): Promise<void> {
    return this.#submit(prompt, { isTyped: true, sessionId });
  }

  #submit(prompt: Prompt, { isTyped, sessionId }: { isTyped: boolean; sessionId?: string | undefined }): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      try {
        const session = await this.#sessionFor(sessionId);
        if (isTyped) this.#words.sending(prompt.text);
        await session.submit(prompt);
        await this.#words.sent(prompt.text);
      } catch (error) {
        this.#parts.log.error(error);
        await this.#words.returned(prompt.text);
        const message = `The prompt could not be sent: ${messageOf(error)}`;
        this.#line.post({ type: 'prompt_returned', text: prompt.text, message });
      }
    });
  }

  /** Returns a typed prompt, or another text for it, to the composer. */
  async giveBack(typed: string, { text = typed, message }: GivenBack): Promise<void> {
    if (text !== typed) await this.#words.replace(typed, text);
    this.#line.post({ type: 'prompt_returned', text, message, ...(text !== typed && { replaces: typed }) });
  }

  /** Sends the prompts and resources of the MCP servers to the webview. */
  showServerItems({ prompts, resources }: McpItems): void {
    this.#line.post({
      type: 'server_items',
      prompts: prompts.map(({ server, name, description, arguments: wanted }) => ({
        server,
        name,
        description,
        arguments: wanted.map((argument) => `${argument.name}${argument.isRequired ? '' : '?'}`),
      })),
      resources,
    });
  }

  /** Sends the file names that match the typed text to the webview. */
  showFiles(typed: string, names: readonly string[]): void {
    this.#line.post({ type: 'files_found', typed, names });
  }

  /** Empties the panel. The session that was on screen goes on and stays in the list. */
  newSession(): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      this.#setActive(undefined);
      this.#panelChanged();
    });
  }

  get activeSessionId(): string | undefined {
    return this.#active?.session.id;
  }

  showSession(sessionId: string): Promise<void> {
    return this.#show(() => this.#parts.registry.open(sessionId));
  }

  /** Shows a session that another window had open and has closed. */
  takeOverSession(sessionId: string): Promise<void> {
    return this.#show(() => this.#parts.registry.takeOver(sessionId));
  }

  /** Lists the sessions that match a search. An empty search lists all. */
  searchSessions(query: string): Promise<void> {
    return this.#listing.search(query);
  }

  /** Keeps the unsent text, so it survives a reload. */
  saveDraft(text: string): Promise<void> {
    return this.#words.saveDraft(text);
  }

  /**
   * Shows a copy of the session up to a prompt, and puts the prompt into the composer. Without `beforeId` it copies
   * everything.
   */
  forkSession(sessionId: string, beforeId?: string): Promise<void> {
    let prompt: string | undefined;
    const shown = this.#show(async () => {
      const fork = await this.#parts.registry.fork(sessionId, beforeId);
      ({ prompt } = fork);
      return this.#parts.registry.open(fork.id);
    });
    return shown.then(async () => {
      if (prompt === undefined) return;
      if (this.#words.draft.trim() === '') await this.#words.saveDraft(prompt);
      this.#line.post({
        type: 'prompt_returned',
        text: prompt,
        message: 'This is a copy of the session up to here. Change the message or send it again.',
      });
    });
  }

  /** Ends the session and moves it to the trash. Rejects when another window has it open. */
  deleteSession(sessionId: string): Promise<void> {
    return this.#turns.run(async () => {
      await this.#parts.registry.delete(sessionId);
      if (!this.isActive(sessionId)) return;
      this.#setActive(undefined);
      this.#panelChanged();
    });
  }

  /** Stops the run of the session on screen. */
  async stop(): Promise<void> {
    await this.#active?.session.stop();
  }

  /** Goes back to before a prompt. When the conversation goes back, its text returns to the composer. */
  async restoreTo(sessionId: string, promptId: string): Promise<void> {
    const text = await this.#parts.restore.restoreTo(await this.#parts.registry.open(sessionId), promptId);
    if (text === undefined) return;
    await this.#words.takenBack(text);
    if (this.isActive(sessionId)) this.#line.post({ type: 'prompt_returned', text });
    this.focusComposer();
  }

  /** The prompts of the session on screen, newest first. */
  get prompts(): readonly PromptItem[] {
    const items = this.#active?.session.view.items ?? [];
    return items
      .filter((item) => item.kind === 'prompt')
      .filter(({ isSteering }) => !isSteering)
      .toReversed();
  }

  /** Whether this session is in the panel, which may be hidden. */
  isActive(sessionId: string): boolean {
    return this.#active?.session.id === sessionId;
  }

  /** Whether the person sees this session. */
  isShown(sessionId: string): boolean {
    return this.isActive(sessionId) && this.#line.isOpen;
  }

  /** Focuses the composer, as soon as it exists. */
  focusComposer(): void {
    this.#line.focusComposer();
  }

  /** Checks the server and the model, and shows the report until the person goes to a conversation. */
  checkServer(): void {
    this.#guard(this.#parts.doctor.start());
  }

  /** For changes that the controller does not hear of: trust and folders. */
  stateChanged(): void {
    this.#panelChanged();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#active?.subscription.dispose();
    this.#line.dispose();
  }

  async #restore(): Promise<void> {
    const id = this.#parts.memory.get(activeKey);
    if (typeof id !== 'string') return;
    try {
      this.#setActive(await this.#parts.registry.open(id));
    } catch (error) {
      // The session was deleted or is open in another window: the panel starts empty.
      this.#parts.log.warn(`The last session could not be opened: ${messageOf(error)}`);
    }
  }

  /** Shows a session. Never rejects: an error is shown, and the panel stays as it is. */
  #show(find: () => Promise<AgentSession>): Promise<void> {
    this.#parts.doctor.close();
    return this.#turns.run(async () => {
      try {
        const session = await find();
        this.#setActive(session);
        this.sendSnapshot();
      } catch (error) {
        this.#parts.log.error(error);
        this.#parts.actions.showError(messageOf(error));
      }
    });
  }

  async #sessionFor(sessionId: string | undefined): Promise<AgentSession> {
    if (this.#active && (sessionId === undefined || this.isActive(sessionId))) return this.#active.session;
    const { registry } = this.#parts;
    const session = sessionId === undefined ? await registry.create() : await registry.open(sessionId);
    this.#setActive(session);
    // No snapshot: the panel keeps the prompt it waits for, and the session's events follow.
    this.#panelChanged();
    return session;
  }

  #setActive(session: AgentSession | undefined): void {
    const before = this.#active?.session;
    if (session === before) return;
    this.#line.flush();
    this.#active?.subscription.dispose();
    this.#words.forgetSent();
    this.#active = session && { session, subscription: session.onEvent((event) => this.#onEvent(session, event)) };
    this.#parts.actions.showRunning(session !== undefined && session.view.state !== 'idle');
    this.#guard(Promise.resolve(this.#parts.memory.update(activeKey, session?.id)));
    if (before) this.#guard(this.#leave(before));
  }

  /** Once idle, a session that is not on screen is free for other windows. */
  async #leave(session: AgentSession): Promise<void> {
    await session.whenIdle();
    if (!this.isActive(session.id)) await this.#parts.registry.leave(session.id);
  }

  #onEvent(session: AgentSession, event: SessionEvent): void {
    this.#line.push(session.id, event);
    if (event.type === 'state_changed') this.#parts.actions.showRunning(session.view.state !== 'idle');
    if (event.type === 'agent' && event.event.type === 'user_message') this.#words.written();
    if (event.type === 'state_changed' && session.view.state === 'idle') this.#words.settled();
    // The panel's state of the server is out of date.
    if (event.type === 'failed' && isServerTrouble(event.error.code)) {
      void this.#parts.server.refresh({ quiet: true });
    }
  }

  #panelChanged(): void {
    this.#line.post({ type: 'panel_changed', panel: this.#panelState() });
  }

  #snapshot() {
    const session = this.#active?.session.view;
    return { type: 'snapshot', panel: this.#panelState(), session, draft: this.#words.draft } as const;
  }

  #panelState(): PanelState {
    return panelStateOf(this.#parts, this.#listing, this.activeSessionId);
  }

  #guard(work: Promise<unknown>): void {
    work.catch(this.#parts.log.error);
  }
}

function isServerTrouble(code: string): boolean {
  return code === 'connection' || code === 'unauthorized' || code === 'not_found' || code === 'not_openai_compatible';
}
