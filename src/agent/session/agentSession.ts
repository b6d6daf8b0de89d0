import type { RunOutcome } from '../../sdk/events';
import { replayMessages } from '../../sdk/session/replay';
import type { SessionEntry } from '../../sdk/session/entries';
import { writeTarget } from '../../sdk/session/requestTarget';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';
import { ApprovalDesk } from '../approval/approvalDesk';
import type { Approver } from '../approval/approver';
import type { PermissionMode } from '../view/permissionModes';
import { restoredBy, writeBranch, type BranchPlace, type Restored } from './branches';
import { CurrentClient } from './currentClient';
import type { ProjectRules } from '../context/projectRules';
import type { CreateClient } from '../configuration/sessionClient';
import { promptContent, type Prompt } from './prompt';
import { RunRecorder, type PendingPrompt } from './runRecorder';
import { modeNote } from '../prompts/mode';
import { SessionFeed } from './sessionFeed';
import { writeClientTarget, writeTitle } from './sessionHead';
import { SessionRun } from './sessionRun';
import { WaitingPrompts } from './waitingPrompts';
import { reviewNotice } from '../view/reviewNotice';
import { readOnlyMessage, readOnlyView } from '../view/readOnlyView';
import { damageNotice, restoredNotice } from '../view/notices';
import type { ReadOnlyReason, SessionView } from '../view/sessionView';
import { viewFromEntries } from '../view/viewFromEntries';
import type { SetTimer } from '../../util/timer';

export interface AgentSessionParts {
  readonly id: string;
  /** The session's file, with what it holds already. The session closes it. */
  readonly log: SessionLog;
  readonly createClient: CreateClient;
  readonly approver: Approver;
  /** URI of the folder or workspace file; `null` when none is open. */
  readonly workspace: string | null;
  /** The mode of now: what the model is told of when it changes. Absent: always `ask`. */
  readonly permissionMode?: (() => PermissionMode) | undefined;
  /** Whether what the agent changed in a file, by the path it gave, has been seen by nobody. Absent: that is not known. */
  readonly isUnseen?: ((path: string) => boolean) | undefined;
  /** See `SessionRunParts`. */
  readonly projectRules?: ProjectRules | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly setTimer: SetTimer;
  /** Given: the session can be looked at and nothing else. */
  readonly readOnly?: ReadOnlyReason | undefined;
  /** Gets what nobody else can deal with: a listener that throws, a client that cannot be closed. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * One conversation: at most one run at a time, everything that happens on file and told to any number of listeners.
 * Whatever goes wrong is an event with a notice that says what to do; the methods reject only after `dispose`.
 */
export class AgentSession {
  readonly id: string;
  readonly #parts: AgentSessionParts;
  readonly #log: SessionLog;
  readonly #feed: SessionFeed;
  readonly #desk: ApprovalDesk;
  readonly #recorder: RunRecorder;
  readonly #client: CurrentClient;
  readonly #waiting = new WaitingPrompts();
  readonly #run: SessionRun;
  /** What the current run began with. */
  #prompt: PendingPrompt | undefined;
  #active: Promise<void> | undefined;
  #stopping = new AbortController();
  #disposal: Promise<void> | undefined;

  constructor(parts: AgentSessionParts) {
    const { id, log, createClient, approver, newId, now, setTimer, onInternalError } = parts;
    this.id = id;
    this.#parts = parts;
    this.#log = log;
    const view = viewFromEntries(id, log.entries);
    this.#feed = new SessionFeed({
      view: parts.readOnly ? readOnlyView(view, parts.readOnly) : view,
      now,
      newId,
      onInternalError,
    });
    const feed = this.#feed;
    this.#desk = new ApprovalDesk({
      sessionId: id,
      approver,
      newId,
      now,
      emit: (event) => feed.tell(event),
      onPending: (count) => feed.showPending(count),
    });
    this.#recorder = new RunRecorder({
      log,
      setTimer,
      takeApproval: (toolUseId) => this.#desk.takeRecord(toolUseId),
      steering: this.#waiting.pending,
    });
    this.#client = new CurrentClient({
      create: (history, isForPrompt) => {
        const prompts = log.entries.filter((entry) => entry.type === 'user_message' && entry.origin === 'prompt');
        return createClient({
          history,
          sessionId: id,
          isForPrompt,
          promptCount: prompts.length,
          ask: this.#desk.ask,
          runEdits: this.#desk.runEdits,
          recordCheckpoint: (checkpoint) => this.recordCheckpoint(checkpoint),
        });
      },
      history: () => {
        this.#recorder.writeSteering();
        return replayMessages(log.entries).messages;
      },
      onNewClient: (made, outdated) => {
        const reason = outdated === 'settings' ? outdated : undefined;
        const notice = writeClientTarget(log, made, { workspace: parts.workspace, reason });
        this.#writeTitle();
        if (notice) feed.notice(notice);
      },
      onInternalError,
    });
    this.#run = new SessionRun({
      log,
      currentClient: this.#client,
      recorder: this.#recorder,
      waitingPrompts: this.#waiting,
      feed,
      projectRules: parts.projectRules,
      newId,
      isClosing: () => this.#disposal !== undefined,
      onInternalError,
    });
    const damage = log.problems.filter(({ kind }) => kind !== 'newer');
    if (damage.length > 0) feed.notice(damageNotice(newId(), log.path, damage));
    // It was shown when the run ended, and may have gone with the window.
    const review = parts.isUnseen && !parts.readOnly && reviewNotice(newId(), this.view.items, parts.isUnseen);
    if (review) feed.notice(review);
    log.onWriteState((error) => feed.showWriteState(error));
  }

  /** What a screen shows now. Immutable; each event makes a new one. */
  get view(): SessionView {
    return this.#feed.view;
  }

  /** Listens to everything that happens from now on; `view` already holds it when a listener is called. */
  get onEvent(): SessionFeed['onEvent'] {
    return this.#feed.onEvent;
  }

  /** When something was last said or done, in milliseconds since the epoch; `undefined` for an empty session. */
  get updatedMs(): number | undefined {
    return this.#log.entries.at(-1)?.ts;
  }

  /** All that is in its file, and what could not be written yet. */
  get entries(): readonly SessionEntry[] {
    return this.#log.entries;
  }

  /** Nothing goes on and everything is on file: closing it now loses nothing. */
  get isSettled(): boolean {
    return !this.#active && !this.#log.writeError;
  }

  /** Gives it another name, which is cut to a line of sensible length. A blank one changes nothing. */
  rename(name: string): void {
    this.#assertWritable();
    const title = name.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
    if (title === '' || title === this.view.title) return;
    this.#log.append({ type: 'title', title });
    this.#feed.tell({ type: 'titled', title });
  }

  /** Whoever had the session has let it go. */
  offerTakeOver(): void {
    const { readOnly } = this.view;
    if (!readOnly || readOnly.canTakeOver) return;
    this.#feed.tell({ type: 'read_only_changed', readOnly: { ...readOnly, canTakeOver: true } });
  }

  /**
   * Starts a run with a prompt; while one is going, says it to that. Resolves once the prompt is accepted, which is
   * before the answer: see `whenIdle`. A blank prompt is none.
   */
  async submit(prompt: Prompt): Promise<void> {
    this.#assertWritable();
    const content = promptContent(prompt);
    if (content === '') return;
    while (this.view.state === 'stopping') await this.whenIdle();
    this.#assertOpen();
    const { text, context = [] } = prompt;
    const pending: PendingPrompt = { id: this.#parts.newId(), text, context, ...this.#withMode(content) };
    const contextLabels = context.map(({ label }) => label);
    this.#feed.tell({ type: 'prompt_added', id: pending.id, text, contextLabels });
    if (!this.#active) return this.#begin(pending);
    this.#waiting.add(pending);
  }

  /** A message for the model, which tells of the mode where it does not know it. */
  #withMode(content: string): Pick<PendingPrompt, 'content' | 'mode'> {
    const mode = this.#parts.permissionMode?.() ?? 'ask';
    const underWay = [this.#active && this.#prompt, ...this.#waiting.pending].map((pending) => pending?.mode);
    const note = modeNote(mode, this.#log.entries, underWay);
    return note === undefined ? { content } : { content: `${note}\n\n${content}`, mode };
  }

  /** Ends the run: what came of the answer is kept. Harmless when nothing runs. Resolves when it has ended. */
  async stop(): Promise<void> {
    if (!this.#active) return;
    this.#feed.setState('stopping');
    this.#stopping.abort();
    await this.whenIdle();
  }

  /** Stops one tool and lets the run go on. */
  stopTool(toolUseId: string): void {
    this.#client.current?.cancelTool(toolUseId);
  }

  /** Asks the model again after a failure, without repeating the prompt. Does nothing while a run is going. */
  async retry(): Promise<void> {
    return this.continueRun();
  }

  /** Goes on from where the conversation stands. Does nothing while a run is going or when nothing was said yet. */
  async continueRun(): Promise<void> {
    this.#assertWritable();
    if (this.#active || replayMessages(this.#log.entries).messages.length === 0) return;
    this.#begin(undefined);
  }

  dismissNotice(id: string): void {
    this.#feed.dismissNotice(id);
  }

  /** Ends the epoch: the next run gets a new client, with the settings of then. A run that is going is not touched. */
  reconfigure(): void {
    this.#client.outdate('settings');
  }

  /** What happened to files since an entry was written, whatever branch it belongs to, oldest first. */
  checkpointsSince(entryId: string): readonly Checkpoint[] {
    const { entries } = this.#log;
    const from = entries.findIndex(({ id }) => id === entryId);
    return from < 0 ? [] : entries.slice(from).filter((entry) => entry.type === 'checkpoint');
  }

  /** Puts on file what is about to happen to files. Rejects when that is not possible. */
  async recordCheckpoint({ cause, label, toolUseId, changes }: Checkpoint): Promise<void> {
    // Also while the session ends: a tool that is being stopped says what it did.
    if (this.view.readOnly) throw new Error(readOnlyMessage(this.view.readOnly));
    const entry = this.#log.append({
      type: 'checkpoint',
      cause,
      label,
      ...(toolUseId !== undefined && { toolUseId }),
      changes,
    });
    const notice = restoredNotice(entry);
    if (notice) this.#feed.notice(notice);
    const error = await this.#log.sync();
    if (error) throw error;
  }

  /** What an entry says was taken back: files, the conversation, or both. `undefined`: nothing was. */
  restoreOf(entryId: string): Restored | undefined {
    return restoredBy(this.#log.entries, entryId);
  }

  /**
   * Takes the conversation to another place of its tree: `before` a message, or `after` an entry it had come to. Nothing
   * is lost on file. Answers where it was, for `after`; `undefined`, and nothing happens, while a run is going or when
   * there is no such entry.
   */
  goTo(place: BranchPlace): string | undefined {
    this.#assertWritable();
    if (this.#active) return undefined;
    const left = writeBranch(this.#log, place);
    if (left === undefined) return undefined;
    this.#client.outdate('failure');
    this.#feed.tell({ type: 'branch_changed', view: viewFromEntries(this.id, this.#log.entries) });
    return left;
  }

  /** Resolves when no run is going. */
  async whenIdle(): Promise<void> {
    while (this.#active) await this.#active;
  }

  /**
   * Ends the session as a closing window does: what streamed so far is put on file at once, then the run is
   * interrupted. Loaded again, the session offers to continue.
   */
  dispose(): Promise<void> {
    this.#disposal ??= this.#end();
    return this.#disposal;
  }

  async #end(): Promise<void> {
    this.#recorder.flush();
    this.#stopping.abort();
    await this.#log.sync();
    await this.whenIdle();
    this.#recorder.writeSteering();
    await this.#client.close();
    await this.#log.close();
    this.#recorder.dispose();
    this.#feed.dispose();
  }

  #begin(prompt: PendingPrompt | undefined): void {
    this.#stopping = new AbortController();
    this.#desk.beginRun();
    let end = (): void => {};
    this.#active = new Promise((resolve) => (end = resolve));
    void this.#complete(prompt).then((outcome) => {
      this.#active = undefined;
      this.#waiting.endListening();
      this.#feed.setState('idle');
      // What was said too late for a run that had its answer is the prompt of the next one.
      const late = outcome === 'completed' && !this.#disposal ? this.#waiting.pending.shift() : undefined;
      if (late) this.#begin(late);
      end();
    });
  }

  /** Never rejects. */
  async #complete(prompt: PendingPrompt | undefined): Promise<RunOutcome> {
    this.#feed.withdrawOffers();
    this.#feed.setState('running');
    this.#prompt = prompt;
    const ended = await this.#run.run(prompt, this.#stopping.signal);
    // Without a client nothing has written the first entry.
    if (this.#log.entries.length === 0) writeTarget(this.#log, NO_TARGET, { workspace: this.#parts.workspace });
    this.#writeTitle();
    this.#recorder.writePrompt();
    this.#run.finish(ended);
    const review = reviewNotice(this.#parts.newId(), this.view.items);
    if (review) this.#feed.notice(review);
    await this.#log.sync();
    return ended.outcome;
  }

  #writeTitle(): void {
    const title = this.#prompt && writeTitle(this.#log, this.#prompt);
    if (title !== undefined) this.#feed.tell({ type: 'titled', title });
  }

  #assertWritable(): void {
    this.#assertOpen();
    const { readOnly } = this.view;
    if (readOnly) throw new Error(readOnlyMessage(readOnly));
  }

  #assertOpen(): void {
    if (this.#disposal) throw new Error(`The session ${this.id} is closed. Open it again.`);
  }
}

const MAX_TITLE_LENGTH = 200;
const NO_TARGET = { systemPrompt: '', model: '', baseUrl: '' };
