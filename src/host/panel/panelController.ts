import type { AgentSession } from '../../agent/agentSession';
import type { Prompt } from '../../agent/prompt';
import type { AllowMore } from '../../agent/approval/approver';
import type { SessionRegistry } from '../../agent/sessionRegistry';
import type { RemedySetting } from '../../agent/view/doctorReport';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { PromptItem } from '../../agent/view/sessionView';
import type { FromWebview, PanelCommand, PanelState, SessionAction, ToWebview } from '../../protocol/messages';
import { parseFromWebview } from '../../protocol/schemas';
import { assertNever } from '../../util/assertNever';
import type { Disposable } from '../../util/disposable';
import type { VscodeApprover } from '../approvals/vscodeApprover';
import type { BackgroundCommands } from '../../workspace/ports';
import type { SettingProblem } from '../../agent/agentSettings';
import type { WorkspaceMemory } from '../memory';
import type { RestoreFlow } from '../restore/restoreFlow';
import type { Schedule } from '../schedule';
import type { ServerConnection } from '../server/serverConnection';
import type { AgentSelection } from '../settings/agentSelection';
import { agentStateOf } from './agentState';
import type { ServerDoctor } from '../server/serverDoctor';
import { EventBatcher } from './eventBatcher';
import type { PanelHost, PanelPort } from './panelView';
import { SessionListing } from './sessionListing';

/** What the panel may have the window do. */
export interface WindowActions {
  /** A file of the workspace, as a model or a person wrote its path. */
  openFile(file: string, line: number | undefined): Promise<void>;
  /** `text` is what the link shows. */
  openLink(href: string, text: string): Promise<void>;
  runCommand(command: PanelCommand): Promise<void>;
  runSessionAction(action: SessionAction, sessionId: string): Promise<void>;
  showError(message: string): void;
  /** The whole output of a background command, in an editor. */
  showCommandOutput(id: string): Promise<void>;
  /** Has the server load a model, or take it out of memory, with progress on screen. */
  changeLoaded(model: string, isLoaded: boolean): Promise<void>;
  /** Shows one setting in the settings editor. */
  openSetting(setting: RemedySetting): Promise<void>;
  /** Whether the session on screen runs, for buttons and key bindings. */
  showRunning(isRunning: boolean): void;
}

export interface PanelLog {
  readonly warn: (message: string) => void;
  readonly error: (error: unknown) => void;
}

export interface PanelControllerParts {
  readonly registry: SessionRegistry;
  readonly approver: VscodeApprover;
  readonly server: ServerConnection;
  readonly agents: AgentSelection;
  /** What is wrong in the settings now. */
  readonly settingProblems: () => readonly SettingProblem[];
  /** What is wrong with the rules now, for people. */
  readonly ruleProblems: () => readonly string[];
  readonly doctor: ServerDoctor;
  readonly memory: WorkspaceMemory;
  readonly actions: WindowActions;
  readonly restore: RestoreFlow;
  /** Shows what the agent changed and nobody has looked at. False: it could not be shown. */
  readonly reviewEdits: () => Promise<boolean>;
  readonly background: Pick<BackgroundCommands, 'list' | 'stop' | 'onChange'>;
  /** Forgets what the server in use was found not to take. */
  readonly forgetQuirks: () => void;
  readonly isTrusted: () => boolean;
  readonly hasFolder: () => boolean;
  readonly schedule: Schedule;
  readonly log: PanelLog;
}

interface ActiveSession {
  readonly session: AgentSession;
  readonly subscription: Disposable;
}

type Fact<T = ToWebview> = T extends ToWebview ? Omit<T, 'seq'> : never;

const activeKey = 'openAgent.activeSession';
const draftKey = 'openAgent.draft';

/**
 * The state of the panel, which it keeps whether or not the panel is there: intents go to the sessions, what happens
 * comes back as facts. A webview that says `ready` gets a snapshot and from then on everything, in order.
 */
export class PanelController implements PanelHost, Disposable {
  readonly #parts: PanelControllerParts;
  readonly #batcher: EventBatcher;
  readonly #listing: SessionListing;
  readonly #subscriptions: readonly Disposable[];
  #port: PanelPort | undefined;
  /** The webview's document has asked for its snapshot and is still there. */
  #isReady = false;
  #seq = 0;
  #active: ActiveSession | undefined;
  #draft: string;
  /** Typed, sent, and not in the session's file yet: kept with the draft, so that a crash loses no words. */
  #unwritten: readonly string[] = [];
  #wantsFocus = false;
  /** What changes which session is on screen takes turns. */
  #turn: Promise<void>;

  constructor(parts: PanelControllerParts) {
    this.#parts = parts;
    const { registry, server, doctor, agents, memory, schedule } = parts;
    const draft = memory.get(draftKey);
    this.#draft = typeof draft === 'string' ? draft : '';
    this.#batcher = new EventBatcher({ schedule, deliver: (events) => this.#deliver(events) });
    this.#listing = new SessionListing({ registry, onChange: () => this.#panelChanged() });
    this.#subscriptions = [
      server.onChange(() => this.#panelChanged()),
      agents.onChange(() => this.#panelChanged()),
      parts.background.onChange(() => this.#panelChanged()),
      doctor.onChange(() => this.#panelChanged()),
      registry.onChange(() => this.#guard(this.#listing.refresh())),
    ];
    this.#turn = this.#restore();
    this.#guard(this.#listing.refresh());
  }

  attach(port: PanelPort): void {
    this.#port = port;
    this.#isReady = false;
  }

  detach(port: PanelPort): void {
    if (port !== this.#port) return;
    this.#port = undefined;
    this.#isReady = false;
    this.#parts.server.setWatched(false);
  }

  setVisible(port: PanelPort, isVisible: boolean): void {
    if (port !== this.#port || isVisible) return;
    // Its document is gone; a new one says `ready`.
    this.#isReady = false;
    this.#parts.server.setWatched(false);
  }

  receive(port: PanelPort, message: unknown): void {
    if (port !== this.#port) return;
    const parsed = parseFromWebview(message);
    if (parsed.ok) this.#guard(this.#handle(parsed.intent));
    else this.#parts.log.warn(`The panel sent something that is not understood: ${parsed.error}`);
  }

  /** Resolves when what was asked for so far has been taken up. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  /** Sends a prompt to the session on screen, which is made when there is none. Never rejects: a prompt comes back. */
  submit(prompt: Prompt, sessionId?: string): Promise<void> {
    this.#parts.doctor.close();
    return this.#inTurn(async () => {
      try {
        const session = await this.#sessionFor(sessionId);
        // What came from a command can be had again from it.
        if (prompt.context === undefined) this.#unwritten = [...this.#unwritten, prompt.text];
        await session.submit(prompt);
        if (this.#draft.trim() === prompt.text.trim()) await this.#saveDraft('');
      } catch (error) {
        this.#parts.log.error(error);
        this.#unwritten = [];
        const draft = this.#draft.trim();
        if (draft === '') await this.#saveDraft(prompt.text);
        else if (draft !== prompt.text.trim()) await this.#saveDraft(`${prompt.text}\n\n${this.#draft}`);
        const message = `The prompt could not be sent: ${error instanceof Error ? error.message : String(error)}`;
        this.#post({ type: 'prompt_returned', text: prompt.text, message });
      }
    });
  }

  /** An empty panel; the session that was there goes on by itself and is in the list. */
  newSession(): Promise<void> {
    this.#parts.doctor.close();
    return this.#inTurn(async () => {
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

  /** Shows a copy of what comes before a prompt, and the prompt in the composer; without one, a copy of everything. */
  forkSession(sessionId: string, beforeId?: string): Promise<void> {
    let prompt: string | undefined;
    const shown = this.#show(async () => {
      const fork = await this.#parts.registry.fork(sessionId, beforeId);
      ({ prompt } = fork);
      return this.#parts.registry.open(fork.id);
    });
    return shown.then(async () => {
      if (prompt === undefined) return;
      if (this.#draft.trim() === '') await this.#saveDraft(prompt);
      this.#post({
        type: 'prompt_returned',
        text: prompt,
        message: 'This is a copy of the session up to here. Change the message or send it again.',
      });
    });
  }

  /** Ends the session and moves it to the trash. Rejects when somebody else has it. */
  deleteSession(sessionId: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#parts.registry.delete(sessionId);
      if (!this.isActive(sessionId)) return;
      this.#setActive(undefined);
      this.#panelChanged();
    });
  }

  /** Stops what runs in the session on screen. */
  async stop(): Promise<void> {
    await this.#active?.session.stop();
  }

  /** Back to before a prompt. Its words come back into the composer when the conversation goes back. */
  async restoreTo(sessionId: string, promptId: string): Promise<void> {
    const text = await this.#parts.restore.restoreTo(await this.#parts.registry.open(sessionId), promptId);
    if (text === undefined) return;
    await this.#saveDraft(this.#draft === '' ? text : `${text}\n\n${this.#draft}`);
    if (this.isActive(sessionId)) this.#post({ type: 'prompt_returned', text });
    this.focusComposer();
  }

  /** What the person said in the session on screen, newest first. */
  get prompts(): readonly PromptItem[] {
    const items = this.#active?.session.view.items ?? [];
    return items
      .filter((item) => item.kind === 'prompt')
      .filter(({ isSteering }) => !isSteering)
      .toReversed();
  }

  /** Whether this session is on screen, or would be if the panel were. */
  isActive(sessionId: string): boolean {
    return this.#active?.session.id === sessionId;
  }

  /** Puts the focus where one types, as soon as that is there. */
  focusComposer(): void {
    if (this.#isReady) this.#post({ type: 'focus_composer' });
    else this.#wantsFocus = true;
  }

  /** Checks the server and the model, and shows how that goes, until the person turns to a conversation. */
  checkServer(): void {
    this.#guard(this.#parts.doctor.start());
  }

  /** For what the controller does not hear of itself: trust, folders. */
  stateChanged(): void {
    this.#panelChanged();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#active?.subscription.dispose();
    this.#batcher.dispose();
    this.#port = undefined;
    this.#isReady = false;
  }

  async #handle(intent: FromWebview): Promise<void> {
    const { actions, agents, approver, doctor, registry, server } = this.#parts;
    switch (intent.type) {
      case 'ready':
        await this.#turn;
        this.#isReady = true;
        this.#postSnapshot();
        if (this.#wantsFocus) this.#post({ type: 'focus_composer' });
        this.#wantsFocus = false;
        return server.setWatched(true);
      case 'needSnapshot':
        return this.#postSnapshot();
      case 'submitPrompt':
        return this.submit({ text: intent.text }, intent.sessionId);
      case 'saveDraft':
        return this.#saveDraft(intent.text);
      case 'stop':
        return (await registry.open(intent.sessionId)).stop();
      case 'stopTool':
        return (await registry.open(intent.sessionId)).stopTool(intent.toolUseId);
      case 'stopCommand':
        // Ended by itself meanwhile: that is what was wanted.
        await this.#parts.background.stop(intent.id);
        return;
      case 'showCommandOutput':
        return actions.showCommandOutput(intent.id);
      case 'approve':
        return this.#expectOpen(
          approver.approve(intent.requestId, intent.sessionId, allowedMore(intent)),
          intent.requestId,
        );
      case 'deny':
        return this.#expectOpen(approver.deny(intent.requestId, intent.reason, intent.sessionId), intent.requestId);
      case 'decideHunk': {
        const { requestId, sessionId, hunk, isKept } = intent;
        return this.#expectOpen(await approver.decideHunk(requestId, { hunk, isKept, sessionId }), requestId);
      }
      case 'openDiff':
        return this.#expectOpen(approver.showProposal(intent.requestId, intent.sessionId), intent.requestId);
      case 'newSession':
        return this.newSession();
      case 'openSession':
        return this.showSession(intent.sessionId);
      case 'searchSessions':
        return this.#listing.search(intent.query);
      case 'forkSession':
        return this.forkSession(intent.sessionId, intent.beforeId);
      case 'takeOverSession':
        return this.#show(() => registry.takeOver(intent.sessionId));
      case 'sessionAction':
        return actions.runSessionAction(intent.action, intent.sessionId);
      case 'retry':
        doctor.close();
        return (await registry.open(intent.sessionId)).retry();
      case 'continue':
        doctor.close();
        return (await registry.open(intent.sessionId)).continueRun();
      case 'dismissNotice':
        return (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
      case 'restoreTo':
        return this.restoreTo(intent.sessionId, intent.promptId);
      case 'undoRestore':
        await this.#parts.restore.undo(await registry.open(intent.sessionId), intent.noticeId);
        // The button that had the focus is gone.
        return this.focusComposer();
      case 'reviewEdits':
        if (await this.#parts.reviewEdits()) {
          (await registry.open(intent.sessionId)).dismissNotice(intent.noticeId);
        }
        return;
      case 'selectModel':
        return server.selectModel(intent.model);
      case 'selectMode':
        return agents.chooseMode(intent.mode);
      case 'selectProfile':
        return agents.chooseProfile(intent.profile);
      case 'selectAgent':
        return agents.chooseAgent(intent.agent);
      case 'changeLoaded':
        return actions.changeLoaded(intent.model, intent.isLoaded);
      case 'forgetQuirks':
        return this.#parts.forgetQuirks();
      case 'refreshServer':
        return server.refresh();
      case 'openFile':
        return actions.openFile(intent.path, intent.line);
      case 'startDoctor':
        return doctor.start();
      case 'stopDoctor':
        return doctor.stop();
      case 'closeDoctor':
        return doctor.close();
      case 'openSetting':
        return actions.openSetting(intent.setting);
      case 'openLink':
        return actions.openLink(intent.href, intent.text ?? '');
      case 'runCommand':
        return actions.runCommand(intent.command);
      default:
        return assertNever(intent);
    }
  }

  /** A second click, or one that crossed with a decision made elsewhere: the first counts, and there is no harm. */
  #expectOpen(wasOpen: boolean, requestId: string): void {
    if (!wasOpen) this.#parts.log.warn(`The question ${requestId} is not open any more; nothing was done.`);
  }

  async #restore(): Promise<void> {
    const id = this.#parts.memory.get(activeKey);
    if (typeof id !== 'string') return;
    try {
      this.#setActive(await this.#parts.registry.open(id));
    } catch (error) {
      // Deleted meanwhile, or open in another window: the panel begins empty.
      this.#parts.log.warn(
        `The last session could not be opened: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** Never rejects: what goes wrong is said, and the panel stays as it is. */
  #show(find: () => Promise<AgentSession>): Promise<void> {
    this.#parts.doctor.close();
    return this.#inTurn(async () => {
      try {
        const session = await find();
        this.#setActive(session);
        this.#postSnapshot();
      } catch (error) {
        this.#parts.log.error(error);
        this.#parts.actions.showError(error instanceof Error ? error.message : String(error));
      }
    });
  }

  async #sessionFor(sessionId: string | undefined): Promise<AgentSession> {
    if (this.#active && (sessionId === undefined || this.isActive(sessionId))) return this.#active.session;
    const { registry } = this.#parts;
    const session = sessionId === undefined ? await registry.create() : await registry.open(sessionId);
    this.#setActive(session);
    // A new session is told by its events, so that the panel keeps the prompt it is waiting for.
    this.#panelChanged();
    return session;
  }

  #setActive(session: AgentSession | undefined): void {
    const before = this.#active?.session;
    if (session === before) return;
    this.#batcher.flush();
    this.#active?.subscription.dispose();
    this.#unwritten = [];
    this.#active = session && { session, subscription: session.onEvent((event) => this.#onEvent(session, event)) };
    this.#parts.actions.showRunning(session !== undefined && session.view.state !== 'idle');
    this.#guard(Promise.resolve(this.#parts.memory.update(activeKey, session?.id)));
    if (before) this.#guard(this.#leave(before));
  }

  /** A session that is not on screen and has nothing left to do is free for other windows. */
  async #leave(session: AgentSession): Promise<void> {
    await session.whenIdle();
    if (!this.isActive(session.id)) await this.#parts.registry.leave(session.id);
  }

  #onEvent(session: AgentSession, event: SessionEvent): void {
    if (this.#isReady) this.#batcher.push(event);
    if (event.type === 'state_changed') this.#parts.actions.showRunning(session.view.state !== 'idle');
    if (event.type === 'agent' && event.event.type === 'user_message') this.#setUnwritten(this.#unwritten.slice(1));
    if (event.type === 'state_changed' && session.view.state === 'idle') this.#setUnwritten([]);
    // What the panel shows of the server was true before this.
    if (event.type === 'failed' && isServerTrouble(event.error.code)) {
      void this.#parts.server.refresh({ quiet: true });
    }
  }

  async #saveDraft(text: string): Promise<void> {
    this.#draft = text;
    await this.#keepWords();
  }

  #setUnwritten(prompts: readonly string[]): void {
    if (prompts.length === this.#unwritten.length) return;
    this.#unwritten = prompts;
    this.#guard(this.#keepWords());
  }

  async #keepWords(): Promise<void> {
    const words = [...this.#unwritten, this.#draft].filter((text) => text !== '');
    await this.#parts.memory.update(draftKey, words.length === 0 ? undefined : words.join('\n\n'));
  }

  #panelChanged(): void {
    this.#post({ type: 'panel_changed', panel: this.#panelState() });
  }

  #panelState(): PanelState {
    const { server, doctor, agents, settingProblems, ruleProblems, isTrusted, hasFolder } = this.#parts;
    return {
      connection: server.state,
      isTrusted: isTrusted(),
      hasFolder: hasFolder(),
      models: server.models,
      selectedModel: server.selectedModel,
      agent: agentStateOf(agents, settingProblems(), ruleProblems()),
      commands: this.#parts.background
        .list()
        .map(({ id, command, startedMs, lastLine }) => ({ id, command, startedMs, lastLine })),
      ...this.#listing.state,
      activeSessionId: this.#active?.session.id,
      doctor: doctor.report,
    };
  }

  #postSnapshot(): void {
    // What waits is in the view already.
    this.#batcher.clear();
    const session = this.#active?.session.view;
    this.#post({ type: 'snapshot', panel: this.#panelState(), session, draft: this.#draft });
  }

  #deliver(events: readonly SessionEvent[]): void {
    const sessionId = this.#active?.session.id;
    if (sessionId !== undefined) this.#send({ type: 'session_events', sessionId, events });
  }

  /** Sends a fact after everything that happened before it. */
  #post(fact: Fact): void {
    this.#batcher.flush();
    this.#send(fact);
  }

  #send(fact: Fact): void {
    if (!this.#isReady) return;
    this.#seq += 1;
    this.#port?.post({ ...fact, seq: this.#seq });
  }

  #inTurn(task: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(task);
    // The next one does not depend on how this one ended; whoever asked for this one hears of it.
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #guard(work: Promise<unknown>): void {
    work.catch(this.#parts.log.error);
  }
}

/** Only what was said: an intent's own fields go no further. */
function allowedMore({ remember, acceptsEdits }: FromWebview & { readonly type: 'approve' }): AllowMore {
  return { ...(remember && { remember }), ...(acceptsEdits && { acceptsEdits }) };
}

function isServerTrouble(code: string): boolean {
  return code === 'connection' || code === 'unauthorized' || code === 'not_found' || code === 'not_openai_compatible';
}
