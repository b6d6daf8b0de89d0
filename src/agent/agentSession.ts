import type { Client } from '../sdk/client';
import { AgentError, type AgentErrorInfo } from '../sdk/errors';
import type { AgentEvent, RunOutcome, WarningCode } from '../sdk/events';
import { replayMessages } from '../sdk/session/replay';
import type { SessionEntry } from '../sdk/session/entries';
import type { SessionLog } from '../sdk/session/sessionLog';
import { assertNever } from '../util/assertNever';
import { Emitter } from '../util/emitter';
import type { Checkpoint } from '../workspace/checkpoints/fileChange';
import { ApprovalDesk } from './approval/approvalDesk';
import type { Approver } from './approval/approver';
import type { PermissionMode } from './approval/permissions';
import { restoredBy, writeBranch, type BranchPlace, type Restored } from './branches';
import { ClientSlot } from './clientSlot';
import type { CreateClient } from './createClient';
import type { SetTimer } from './partialAnswer';
import { promptContent, type Prompt } from './prompt';
import { RunRecorder, type PendingPrompt } from './runRecorder';
import { modeNote } from './prompts/mode';
import { writeEpoch, writeHead, writeTarget, writeTitle } from './sessionHead';
import { foldSession } from './view/foldSession';
import { reviewNotice } from './view/reviewNotice';
import { readOnlyMessage, readOnlyView } from './view/readOnlyView';
import {
  compactionNotice,
  damageNotice,
  failureNotice,
  limitNotice,
  restoredNotice,
  unsavedNotice,
} from './view/notices';
import type { NoticeAction, ReadOnlyReason, SessionEvent, SessionNotice, SessionState } from './view/sessionEvents';
import type { SessionView } from './view/sessionView';
import { viewFromEntries } from './view/viewFromEntries';

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
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly setTimer: SetTimer;
  /** Given: the session can be looked at and nothing else. */
  readonly readOnly?: ReadOnlyReason | undefined;
  /** Gets what nobody else can deal with: a listener that throws, a client that cannot be closed. */
  readonly onInternalError: (error: unknown) => void;
}

/** What a run begins with: a prompt, or nothing new. */
interface Start {
  readonly prompt?: PendingPrompt | undefined;
}

interface RunEnd {
  readonly outcome: RunOutcome;
  readonly error?: AgentErrorInfo | undefined;
}

/**
 * One conversation: at most one run at a time, everything that happens on file and told to any number of listeners.
 * Whatever goes wrong is an event with a notice that says what to do; the methods reject only after `dispose`.
 */
export class AgentSession {
  readonly id: string;
  readonly #parts: AgentSessionParts;
  readonly #log: SessionLog;
  readonly #events: Emitter<SessionEvent>;
  readonly #desk: ApprovalDesk;
  readonly #recorder: RunRecorder;
  readonly #slot: ClientSlot;
  /** Said to the current run and not yet with the model, oldest first. */
  readonly #steering: PendingPrompt[] = [];
  /** Those of them that the client keeps until it can use them. */
  readonly #handed = new WeakSet<PendingPrompt>();
  #view: SessionView;
  /** What the current run began with. */
  #prompt: PendingPrompt | undefined;
  /** The client of the current run, once it hears what the person says meanwhile. */
  #listening: Client | undefined;
  #active: Promise<void> | undefined;
  #stopping = new AbortController();
  #unsavedNoticeId: string | undefined;
  #disposal: Promise<void> | undefined;

  constructor(parts: AgentSessionParts) {
    const { id, log, createClient, approver, newId, now, setTimer, onInternalError } = parts;
    this.id = id;
    this.#parts = parts;
    this.#log = log;
    this.#events = new Emitter(onInternalError);
    this.#desk = new ApprovalDesk({
      sessionId: id,
      approver,
      newId,
      now,
      emit: (event) => this.#emit(event),
      onPending: (count) => this.#showPending(count),
    });
    this.#recorder = new RunRecorder({
      log,
      setTimer,
      takeApproval: (toolUseId) => this.#desk.takeRecord(toolUseId),
      steering: this.#steering,
    });
    this.#slot = new ClientSlot({
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
        const notice = writeTarget(log, made, { workspace: parts.workspace, reason });
        this.#writeTitle();
        if (notice) this.#notice(notice);
      },
      onInternalError,
    });
    this.#view = viewFromEntries(id, log.entries);
    if (parts.readOnly) this.#view = readOnlyView(this.#view, parts.readOnly);
    const damage = log.problems.filter(({ kind }) => kind !== 'newer');
    if (damage.length > 0) this.#notice(damageNotice(newId(), log.path, damage));
    log.onWriteState((error) => this.#showWriteState(error));
  }

  /** What a screen shows now. Immutable; each event makes a new one. */
  get view(): SessionView {
    return this.#view;
  }

  /** Listens to everything that happens from now on; `view` already holds it when a listener is called. */
  get onEvent(): Emitter<SessionEvent>['on'] {
    return this.#events.on;
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
    if (title === '' || title === this.#view.title) return;
    this.#log.append({ type: 'title', title });
    this.#emit({ type: 'titled', title, ts: this.#parts.now() });
  }

  /** Whoever had the session has let it go. */
  offerTakeOver(): void {
    const { readOnly } = this.#view;
    if (!readOnly || readOnly.canTakeOver) return;
    this.#emit({ type: 'read_only_changed', readOnly: { ...readOnly, canTakeOver: true }, ts: this.#parts.now() });
  }

  /**
   * Starts a run with a prompt; while one is going, says it to that. Resolves once the prompt is accepted, which is
   * before the answer: see `whenIdle`. A blank prompt is none.
   */
  async submit(prompt: Prompt): Promise<void> {
    this.#assertWritable();
    const content = promptContent(prompt);
    if (content === '') return;
    while (this.#view.state === 'stopping') await this.whenIdle();
    this.#assertOpen();
    const { text, context = [] } = prompt;
    const pending: PendingPrompt = { id: this.#parts.newId(), text, context, ...this.#withMode(content) };
    const contextLabels = context.map(({ label }) => label);
    this.#emit({ type: 'prompt_added', id: pending.id, text, contextLabels, ts: this.#parts.now() });
    if (!this.#active) return this.#begin({ prompt: pending });
    this.#steering.push(pending);
    this.#hand(pending);
  }

  /** A message for the model, which tells of the mode where it does not know it. */
  #withMode(content: string): Pick<PendingPrompt, 'content' | 'mode'> {
    const mode = this.#parts.permissionMode?.() ?? 'ask';
    const underWay = [this.#active && this.#prompt, ...this.#steering].map((pending) => pending?.mode);
    const note = modeNote(mode, this.#log.entries, underWay);
    return note === undefined ? { content } : { content: `${note}\n\n${content}`, mode };
  }

  /** Ends the run: what came of the answer is kept. Harmless when nothing runs. Resolves when it has ended. */
  async stop(): Promise<void> {
    if (!this.#active) return;
    this.#setState('stopping');
    this.#stopping.abort();
    await this.whenIdle();
  }

  /** Stops one tool and lets the run go on. */
  stopTool(toolUseId: string): void {
    this.#slot.current?.cancelTool(toolUseId);
  }

  /** Asks the model again after a failure, without repeating the prompt. Does nothing while a run is going. */
  async retry(): Promise<void> {
    return this.continueRun();
  }

  /** Goes on from where the conversation stands. Does nothing while a run is going or when nothing was said yet. */
  async continueRun(): Promise<void> {
    this.#assertWritable();
    if (this.#active || replayMessages(this.#log.entries).messages.length === 0) return;
    this.#begin({});
  }

  dismissNotice(id: string): void {
    this.#emit({ type: 'notice_dismissed', id, ts: this.#parts.now() });
  }

  /** Ends the epoch: the next run gets a new client, with the settings of then. A run that is going is not touched. */
  reconfigure(): void {
    this.#slot.outdate('settings');
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
    if (this.#view.readOnly) throw new Error(readOnlyMessage(this.#view.readOnly));
    const entry = this.#log.append({
      type: 'checkpoint',
      cause,
      label,
      ...(toolUseId !== undefined && { toolUseId }),
      changes,
    });
    const notice = restoredNotice(entry);
    if (notice) this.#notice(notice);
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
    this.#slot.outdate('failure');
    this.#emit({ type: 'branch_changed', view: viewFromEntries(this.id, this.#log.entries), ts: this.#parts.now() });
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
    await this.#slot.close();
    await this.#log.close();
    this.#recorder.dispose();
    this.#events.dispose();
  }

  #begin(start: Start): void {
    this.#stopping = new AbortController();
    this.#desk.beginRun();
    let end = (): void => {};
    this.#active = new Promise((resolve) => (end = resolve));
    void this.#run(start).then((outcome) => {
      this.#active = undefined;
      this.#listening = undefined;
      this.#setState('idle');
      // What was said too late for a run that had its answer is the prompt of the next one.
      const late = outcome === 'completed' && !this.#disposal ? this.#steering.shift() : undefined;
      if (late) this.#begin({ prompt: late });
      end();
    });
  }

  /** Never rejects. */
  async #run({ prompt }: Start): Promise<RunOutcome> {
    this.#withdrawOffers();
    this.#setState('running');
    this.#prompt = prompt;
    if (prompt) this.#recorder.expectPrompt(prompt);
    let ended: RunEnd;
    try {
      const client = await this.#slot.obtain(this.#stopping.signal, prompt !== undefined);
      ended = client ? await this.#drive(client, prompt) : { outcome: 'interrupted' };
      if (client) this.#recorder.dropPrompt();
    } catch (cause) {
      if (!(cause instanceof AgentError)) this.#parts.onInternalError(cause);
      ended = { outcome: 'error', error: toErrorInfo(cause) };
    }
    // There may have been no client to say what the session begins with.
    writeHead(this.#log, this.#parts.workspace);
    this.#writeTitle();
    this.#recorder.writePrompt();
    this.#finish(ended);
    const review = reviewNotice(this.#parts.newId(), this.#view.items);
    if (review) this.#notice(review);
    await this.#log.sync();
    return ended.outcome;
  }

  async #drive(client: Client, prompt: PendingPrompt | undefined): Promise<RunEnd> {
    this.#log.append({ type: 'status_update', status: 'RUNNING' });
    const options = { signal: this.#stopping.signal };
    const events = prompt ? client.run(prompt.content, options) : client.continueRun(options);
    try {
      for (let next = await events.next(); ; next = await events.next()) {
        if (next.done) return next.value;
        await this.#take(client, next.value);
      }
    } catch (cause) {
      // What the client holds may differ from what is on file, and the file is what counts.
      this.#slot.outdate('failure');
      throw cause;
    }
  }

  async #take(client: Client, event: AgentEvent): Promise<void> {
    const recorded = this.#recorder.record(event);
    this.#emit({ type: 'agent', event, ts: this.#parts.now() });
    this.#showContext(client, event);
    const entry = event.type === 'compaction' ? this.#log.entries.at(-1) : undefined;
    if (entry) this.#notice(compactionNotice(entry.id));
    await recorded;
    if (event.type === 'run_start') this.#listen(client);
    if (event.type === 'warning' && event.code === 'server_quirk') writeEpoch(this.#log, 'quirk');
    if (event.type === 'warning' && SHOWN_WARNINGS.has(event.code)) {
      const { message } = event;
      const actions: readonly NoticeAction[] =
        event.code === 'server_quirk' ? ['forgetQuirks', 'showQuirks', 'showLog'] : ['showLog'];
      this.#notice({ id: this.#parts.newId(), severity: 'warning', message, actions });
    }
  }

  /** After an answer it is what the server counted; tool results and the person's words are estimated until then. */
  #showContext(client: Client, event: AgentEvent): void {
    const { contextWindow: window } = client;
    const known = window === undefined ? {} : { window };
    const ts = this.#parts.now();
    if (event.type === 'usage') {
      const tokens = event.usage.promptTokens + event.usage.completionTokens;
      this.#emit({ type: 'context', tokens, isEstimate: false, ...known, ts });
    } else if (CONTEXT_CHANGES.has(event.type) || (event.type === 'assistant_message' && !event.usage)) {
      this.#emit({ type: 'context', ...client.contextTokens, ...known, ts });
    }
  }

  /** From here on the run hears what the person says; what they said before is handed over. */
  #listen(client: Client): void {
    this.#listening = client;
    for (const steering of this.#steering) this.#hand(steering);
  }

  #hand(steering: PendingPrompt): void {
    if (this.#handed.has(steering)) return;
    if (this.#listening?.steer(steering.content)) this.#handed.add(steering);
  }

  #finish({ outcome, error }: RunEnd): void {
    switch (outcome) {
      case 'completed':
        this.#log.append({ type: 'status_update', status: 'FINISHED' });
        return;
      case 'interrupted':
        // A window that closes does not end the run for the person: without an end on file it can be continued.
        if (!this.#disposal) this.#log.append({ type: 'status_update', status: 'CANCELED' });
        return;
      case 'limit': {
        const { id } = this.#log.append({ type: 'status_update', status: 'IDLE' });
        return this.#notice(limitNotice(id));
      }
      case 'error': {
        const info = error ?? { code: 'invalid_state', message: 'The run failed without saying why.' };
        const { id } = this.#log.append({ type: 'error', ...info });
        this.#log.append({ type: 'status_update', status: 'ERROR' });
        this.#emit({ type: 'failed', error: info, ts: this.#parts.now() });
        return this.#notice(failureNotice(id, info));
      }
      default:
        return assertNever(outcome);
    }
  }

  #writeTitle(): void {
    const title = this.#prompt && writeTitle(this.#log, this.#prompt);
    if (title !== undefined) this.#emit({ type: 'titled', title, ts: this.#parts.now() });
  }

  /** A new run answers what notices had offered to do. */
  #withdrawOffers(): void {
    for (const item of this.#view.items) {
      if (item.kind !== 'notice') continue;
      if (item.notice.actions.some((action) => action === 'retry' || action === 'continue'))
        this.dismissNotice(item.id);
    }
  }

  #showPending(count: number): void {
    const { state } = this.#view;
    if (state === 'running' || state === 'waiting_for_approval') {
      this.#setState(count > 0 ? 'waiting_for_approval' : 'running');
    }
  }

  #showWriteState(error: Error | undefined): void {
    if (this.#unsavedNoticeId !== undefined) this.dismissNotice(this.#unsavedNoticeId);
    this.#unsavedNoticeId = error && this.#parts.newId();
    if (error && this.#unsavedNoticeId !== undefined) this.#notice(unsavedNotice(this.#unsavedNoticeId, error));
  }

  #setState(state: SessionState): void {
    if (this.#view.state !== state) this.#emit({ type: 'state_changed', state, ts: this.#parts.now() });
  }

  #notice(notice: SessionNotice): void {
    this.#emit({ type: 'notice', notice, ts: this.#parts.now() });
  }

  #emit(event: SessionEvent): void {
    this.#view = foldSession(this.#view, event);
    this.#events.emit(event);
  }

  #assertWritable(): void {
    this.#assertOpen();
    const { readOnly } = this.#view;
    if (readOnly) throw new Error(readOnlyMessage(readOnly));
  }

  #assertOpen(): void {
    if (this.#disposal) throw new Error(`The session ${this.id} is closed. Open it again.`);
  }
}

const MAX_TITLE_LENGTH = 200;

const CONTEXT_CHANGES: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'user_message',
  'tool_execution_end',
  'compaction',
]);

/** The others show in what the run does, or end it with a notice of their own. */
const SHOWN_WARNINGS: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'malformed_chunk',
  'hook_failed',
  'server_quirk',
  'prompt_truncated',
]);

function toErrorInfo(cause: unknown): AgentErrorInfo {
  if (cause instanceof AgentError) return cause.toInfo();
  return { code: 'invalid_state', message: cause instanceof Error ? cause.message : String(cause) };
}
