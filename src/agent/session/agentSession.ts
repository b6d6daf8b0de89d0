import type { RunOutcome } from '../../sdk/events';
import { leftWaiting } from '../../sdk/session/leftWaiting';
import { replayInSlices, replayMessages } from '../../sdk/session/replay';
import type { SessionEntry } from '../../sdk/session/entries';
import { writeTarget } from '../../sdk/session/requestTarget';
import type { ImagePart } from '../../sdk/messages';
import type { ImageStore } from '../../sdk/session/images/imageStore';
import type { SessionLog } from '../../sdk/session/sessionLog';
import type { Checkpoint } from '../../workspace/checkpoints/fileChange';
import { ApprovalDesk } from '../approval/approvalDesk';
import type { Approver } from '../approval/approver';
import type { PermissionMode } from '../view/permissionModes';
import { restoredBy, writeBranch, type BranchPlace, type Restored } from './branches';
import { CurrentClient } from './currentClient';
import { leaveOut } from '../context/addInstructions';
import type { ProjectRules } from '../context/projectRules';
import type { CreateClient } from '../configuration/sessionClient';
import { editedPrompt, promptContent, type Prompt } from './prompt';
import { RunRecorder } from './runRecorder';
import { modeNote, withoutModeNote } from '../prompts/mode';
import { SessionFeed } from './sessionFeed';
import { SessionImages } from './sessionImages';
import { writeClientTarget, writeTitle } from './sessionHead';
import { SessionRun } from './sessionRun';
import { WaitingPrompts, type PendingPrompt } from './waitingPrompts';
import type { FindCheck } from '../runSummary/findCheck';
import { runFacts } from '../runSummary/runFacts';
import { RunSummaries } from '../runSummary/runSummaries';
import { sectionsIn, sentInstructions } from '../view/prompt/instructionSections';
import { readOnlyMessage, readOnlyView } from '../view/readOnlyView';
import { damageNotice, restoredNotice } from '../view/notices/notices';
import type { ReadOnlyReason, SessionView, WhenSubmitted } from '../view/sessionView';
import { viewFromEntries } from '../view/fold/viewFromEntries';
import type { SetTimer } from '../../util/timer';

export interface AgentSessionParts {
  readonly id: string;
  /** The session's file with its entries. The session closes it. */
  readonly log: SessionLog;
  /** Keeps the images of the conversation. Absent: as long as the session lives. */
  readonly images?: ImageStore | undefined;
  readonly createClient: CreateClient;
  readonly approver: Approver;
  /** URI of the folder or workspace file; `null` when none is open. */
  readonly workspace: string | null;
  /** The current mode; the model is told when it changes. Absent: always `ask`. */
  readonly permissionMode?: (() => PermissionMode) | undefined;
  /** Whether nobody has seen the agent's change of a file, by the model's path. Absent: unknown. */
  readonly isUnseen?: ((path: string) => boolean) | undefined;
  /** Finds out which commands check something, for the summary of a run. Absent: only unasked changes are named. */
  readonly findCheck?: FindCheck | undefined;
  /** See `SessionRunParts`. */
  readonly projectRules?: ProjectRules | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly setTimer: SetTimer;
  /** The view of the entries, if it was made already. Absent: is made at once. */
  readonly view?: SessionView | undefined;
  /** Given: the session is read-only. */
  readonly readOnly?: ReadOnlyReason | undefined;
  /** Gets errors that nobody else handles: a listener that throws, a client that cannot be closed. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * One conversation: at most one run at a time. Writes all events to its file and tells them to any number of listeners.
 * A failure is an event with a notice that names the way out; methods reject only after `dispose` or when read-only.
 */
export class AgentSession {
  readonly id: string;
  /** In words, what of its file could not be read. `undefined`: nothing, or it was told when the session was opened before. */
  readonly damage: string | undefined;
  readonly #parts: AgentSessionParts;
  readonly #log: SessionLog;
  readonly #images: SessionImages;
  readonly #feed: SessionFeed;
  readonly #desk: ApprovalDesk;
  readonly #recorder: RunRecorder;
  readonly #client: CurrentClient;
  readonly #waiting: WaitingPrompts;
  readonly #run: SessionRun;
  readonly #summaries: RunSummaries;
  /** The prompt of the current run. */
  #prompt: PendingPrompt | undefined;
  #active: Promise<void> | undefined;
  #stopping = new AbortController();
  #disposal: Promise<void> | undefined;

  constructor(parts: AgentSessionParts) {
    const { id, log, createClient, approver, newId, now, setTimer, onInternalError } = parts;
    this.id = id;
    this.#parts = parts;
    this.#log = log;
    this.#images = new SessionImages({ store: parts.images, onInternalError });
    const view = parts.view ?? viewFromEntries(id, log.entries);
    const held = view.waiting ? leftWaiting(log.entries) : [];
    this.#waiting = new WaitingPrompts(held.map(({ promptId, prompt }) => ({ id: promptId, ...prompt })));
    this.#feed = new SessionFeed({
      view: parts.readOnly ? readOnlyView(view, parts.readOnly) : view,
      now,
      newId,
      onInternalError,
    });
    const feed = this.#feed;
    this.#summaries = new RunSummaries({
      log,
      feed,
      findCheck: parts.findCheck,
      findWorseRound: () => this.#client.findWorseRound(),
      newId,
      onInternalError,
    });
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
      images: this.#images,
      onInternalError,
      setTimer,
      takeApproval: (toolUseId) => this.#desk.takeRecord(toolUseId),
      waiting: this.#waiting,
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
          runReads: this.#desk.runReads,
          recordCheckpoint: (checkpoint) => this.recordCheckpoint(checkpoint),
          beforeEnd: () => this.#summaries.factsToTell(),
          runFacts: () => runFacts(log.entries),
        });
      },
      history: async () => {
        await this.#images.load(log.entries);
        const { messages } = await replayInSlices(log.entries, this.#images.imageOf);
        return leaveOut(messages, parts.projectRules?.leftOut() ?? []);
      },
      onNewClient: (made, outdated) => {
        const reason = outdated === 'settings' ? outdated : undefined;
        const leavesOut = parts.projectRules?.leftOut() ?? [];
        const notice = writeClientTarget(log, made, { workspace: parts.workspace, reason, leavesOut });
        this.#writeTitle();
        if (notice) feed.notice(notice);
      },
      onInternalError,
    });
    this.#run = new SessionRun({
      log,
      currentClient: this.#client,
      recorder: this.#recorder,
      images: this.#images,
      waitingPrompts: this.#waiting,
      feed,
      projectRules: parts.projectRules,
      newId,
      isClosing: () => this.#disposal !== undefined,
      onInternalError,
    });
    const damage = log.problems.filter(({ kind }) => kind !== 'newer');
    const notice = damage.length > 0 ? damageNotice(newId(), log.path, damage) : undefined;
    if (notice) feed.notice(notice);
    this.damage = notice?.message;
    if (parts.isUnseen && !parts.readOnly) this.#summaries.showUnseen(parts.isUnseen);
    log.onWriteState((error) => feed.showWriteState(error));
  }

  /** The current view. Immutable; each event makes a new one. */
  get view(): SessionView {
    return this.#feed.view;
  }

  /** Listens to events from now on. When a listener is called, `view` includes the event. */
  get onEvent(): SessionFeed['onEvent'] {
    return this.#feed.onEvent;
  }

  /** The time of the last entry in milliseconds since the epoch; `undefined`: the session is empty. */
  get updatedMs(): number | undefined {
    return this.#log.entries.at(-1)?.ts;
  }

  /** All entries, also those that could not be written yet. */
  get entries(): readonly SessionEntry[] {
    return this.#log.entries;
  }

  /** No run is going and all entries are written: closing it now loses nothing. */
  get isSettled(): boolean {
    return !this.#active && !this.#log.writeError;
  }

  /** The error that keeps the newest entries in memory, if any. They are lost if the process ends. */
  get writeError(): Error | undefined {
    return this.#log.writeError;
  }

  /** Renames the session. Cuts the name to one line of limited length. Ignores a blank name. */
  rename(name: string): void {
    this.#assertWritable();
    const title = name.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH);
    if (title === '' || title === this.view.title) return;
    this.#log.append({ type: 'title', title });
    this.#feed.tell({ type: 'titled', title });
  }

  /** The process that had the session has closed it. */
  offerTakeOver(): void {
    const { readOnly } = this.view;
    if (!readOnly || readOnly.canTakeOver) return;
    this.#feed.tell({ type: 'read_only_changed', readOnly: { ...readOnly, canTakeOver: true } });
  }

  /**
   * Starts a run with a prompt. During a run the prompt waits for the next step, or for the end of the run. Resolves when
   * the prompt is accepted, before the answer: see `whenIdle`. Ignores a blank prompt. A prompt with images waits for the
   * end of the run. Rejects when an image cannot be sent.
   */
  async submit(prompt: Prompt, when: WhenSubmitted = 'next_step'): Promise<void> {
    this.#assertWritable();
    const content = promptContent(prompt);
    const images = prompt.images?.length ? await this.#images.keep(prompt.images) : [];
    if (content === '' && images.length === 0) return;
    while (this.view.state === 'stopping') await this.whenIdle();
    this.#assertOpen();
    const { text, context = [] } = prompt;
    const contextLabels = context.map(({ label }) => label);
    const pending: PendingPrompt = {
      id: this.#parts.newId(),
      text,
      contextLabels,
      ...this.#withMode(content),
      ...(images.length > 0 && { images }),
    };
    if (!this.#active) return this.#begin(pending);
    const kept = this.#recorder.keepWaiting(pending);
    this.#waiting.add(pending, images.length > 0 ? 'after_run' : when);
    this.#showWaiting();
    await kept;
  }

  /** Takes back a prompt that waits. Returns its text; `undefined`: the model has it already. */
  withdraw(promptId: string): string | undefined {
    this.#assertWritable();
    const prompt = this.#waiting.find(promptId);
    if (!prompt || !this.#waiting.remove(promptId)) return undefined;
    this.#recorder.dropWaiting(promptId);
    this.#showWaiting();
    return prompt.text;
  }

  /** Changes when a waiting prompt is sent. Without a run it is sent now. Does nothing if the model has it already. */
  async sendWaiting(promptId: string, when: WhenSubmitted): Promise<void> {
    this.#assertWritable();
    while (this.view.state === 'stopping') await this.whenIdle();
    const prompt = this.#waiting.find(promptId);
    if (!prompt || !this.#waiting.remove(promptId)) return;
    // The mode may have changed since.
    const pending = { ...prompt, mode: undefined, ...this.#withMode(withoutModeNote(prompt)) };
    if (this.#active) this.#waiting.add(pending, pending.images ? 'after_run' : when);
    this.#showWaiting();
    if (!this.#active) this.#begin(pending);
  }

  /** The message for the model, with a note about the mode if the model does not know it. */
  #withMode(content: string): Pick<PendingPrompt, 'content' | 'mode'> {
    const mode = this.#parts.permissionMode?.() ?? 'ask';
    const underWay = [this.#active && this.#prompt?.mode, ...this.#waiting.modes];
    const note = modeNote(mode, this.#log.entries, underWay);
    if (note === undefined) return { content };
    // The project's instructions of a message that is sent again stay at its start.
    const end = sectionsIn(content).at(-1)?.end;
    if (end === undefined) return { content: `${note}\n\n${content}`, mode };
    return { content: `${content.slice(0, end)}\n\n${note}${content.slice(end)}`, mode };
  }

  #showWaiting(): void {
    this.#feed.tell({ type: 'waiting_changed', waiting: this.#waiting.items });
  }

  /** Stops the run and keeps the answer so far. Does nothing without a run. Resolves when it has ended. */
  async stop(): Promise<void> {
    if (!this.#active) return;
    this.#feed.setState('stopping');
    this.#stopping.abort();
    await this.whenIdle();
  }

  /** Stops one tool; the run goes on. */
  stopTool(toolUseId: string): void {
    this.#client.current?.cancelTool(toolUseId);
  }

  /** Asks the model again after a failure, without repeating the prompt. Does nothing during a run. */
  async retry(): Promise<void> {
    return this.continueRun();
  }

  /** Continues the conversation without a prompt. Does nothing during a run or in an empty session. */
  async continueRun(): Promise<void> {
    this.#assertWritable();
    if (this.#active || replayMessages(this.#log.entries).messages.length === 0) return;
    this.#begin(undefined);
  }

  /**
   * Lets the model summarise the older part of the conversation, as a run that can be stopped. `focus`: what to keep above
   * all. A notice says if nothing was changed. Does nothing during a run or in an empty session.
   */
  async compact(focus?: string): Promise<void> {
    this.#assertWritable();
    if (this.#active || replayMessages(this.#log.entries).messages.length === 0) return;
    this.#start(async () => {
      this.#feed.setState('running');
      const outcome = await this.#run.compact(focus, this.#stopping.signal);
      await this.#log.sync();
      return outcome;
    });
  }

  /**
   * Sends a prompt of any branch again, with the context that it had. `edited`: its new text, and more context and images. Does nothing
   * during a run or when the prompt does not exist.
   */
  async resend(promptId: string, edited?: Prompt): Promise<void> {
    this.#assertWritable();
    const sent = this.#log.entries.find(({ type, id }) => type === 'user_message' && id === promptId);
    if (this.#active || sent?.type !== 'user_message') return;
    const content = withoutModeNote(sent);
    const { text, contextLabels, content: whole } = editedPrompt({ ...sent, content }, edited ?? sent);
    const added = edited?.images?.length ? await this.#images.keep(edited.images) : [];
    const known = new Set(sent.images?.map(({ hash }) => hash));
    const images = [...(sent.images ?? []), ...added.filter(({ hash }) => !known.has(hash))];
    // Another run may have begun while the images were kept.
    if (this.#active) return;
    const more = { ...this.#withMode(whole), ...(images.length > 0 && { images }) };
    this.#begin({ id: this.#parts.newId(), text, contextLabels, ...more });
  }

  /** An image of the conversation, by its hash. */
  findImage(hash: string): Promise<ImagePart | undefined> {
    return this.#images.find(hash, this.#log.entries);
  }

  dismissNotice(id: string): void {
    this.#summaries.dismissNotice(id);
  }

  /** Ends the epoch: the next run gets a new client with the settings of that time. Does not touch the current run. */
  reconfigure(): void {
    this.#client.outdate('settings');
  }

  /** The checkpoints since an entry, on all branches, oldest first. */
  checkpointsSince(entryId: string): readonly Checkpoint[] {
    const { entries } = this.#log;
    const from = entries.findIndex(({ id }) => id === entryId);
    return from < 0 ? [] : entries.slice(from).filter((entry) => entry.type === 'checkpoint');
  }

  /** Writes a checkpoint before files are changed. Rejects when it cannot be written. */
  async recordCheckpoint({ cause, label, toolUseId, changes }: Checkpoint): Promise<void> {
    // Allowed while the session ends: a tool that is being stopped still reports its change.
    if (this.view.readOnly) throw new Error(readOnlyMessage(this.view.readOnly));
    const entry = this.#log.append({
      type: 'checkpoint',
      cause,
      label,
      ...(toolUseId !== undefined && { toolUseId }),
      changes,
    });
    const notice = restoredNotice(entry);
    if (notice) {
      this.#feed.dismissSummaries();
      this.#feed.notice(notice);
    }
    const error = await this.#log.sync();
    if (error) throw error;
  }

  /** The restore of files, conversation or both that an entry records; `undefined`: none. */
  restoreOf(entryId: string): Restored | undefined {
    return restoredBy(this.#log.entries, entryId);
  }

  /**
   * Moves the conversation to another place of its tree: `before` a message or `after` an entry. The file keeps all
   * entries. Returns the id of the former place, for `after`. Does nothing and returns `undefined` during a run or when
   * the entry does not exist.
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

  /** Resolves when no run is going, also no later run of a waiting prompt. */
  async whenIdle(): Promise<void> {
    while (this.#active) await this.#active;
  }

  /**
   * Ends the session as a closing window does: writes the text streamed so far at once, then interrupts the run. Loaded
   * again, the session offers to continue.
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
    await this.#client.close();
    await this.#log.close();
    this.#recorder.dispose();
    this.#feed.dispose();
  }

  #begin(prompt: PendingPrompt | undefined): void {
    this.#start(() => this.#complete(prompt));
  }

  /** `complete` must not reject. */
  #start(complete: () => Promise<RunOutcome>): void {
    this.#stopping = new AbortController();
    this.#summaries.begin();
    this.#desk.beginRun();
    let end = (): void => {};
    this.#active = new Promise((resolve) => (end = resolve));
    void this.#runToEnd(complete).then(end);
  }

  /** Never rejects. Begins the next run if a prompt waits for it. */
  async #runToEnd(complete: () => Promise<RunOutcome>): Promise<void> {
    const outcome = await complete();
    this.#waiting.endListening();
    if (outcome !== 'completed' || this.#disposal) await this.#hold();
    this.#active = undefined;
    this.#feed.setState('idle');
    // A prompt for the next step may have come too late for the run.
    const next = this.#waiting.takeNext();
    if (!next) return;
    this.#showWaiting();
    this.#begin(next);
  }

  /** The run ended otherwise than the person wanted: what waits is kept on file, and sent only by the person. */
  async #hold(): Promise<void> {
    this.#waiting.hold();
    const { prompts } = this.#waiting;
    if (prompts.length === 0) return;
    this.#showWaiting();
    for (const prompt of prompts) await this.#recorder.keepWaiting(prompt);
  }

  /** Never rejects. */
  async #complete(prompt: PendingPrompt | undefined): Promise<RunOutcome> {
    if (prompt) {
      const { id, text, contextLabels, images } = prompt;
      const instructions = sentInstructions(prompt.content);
      const more = { ...(images && { images }), ...(instructions.length > 0 && { instructions }) };
      this.#feed.tell({ type: 'prompt_added', id, text, contextLabels, ...more });
    }
    this.#feed.withdrawOffers();
    this.#feed.setState('running');
    this.#prompt = prompt;
    const ended = await this.#run.run(prompt, this.#stopping.signal);
    // Without a client nothing has written the first entry.
    if (this.#log.entries.length === 0) writeTarget(this.#log, NO_TARGET, { workspace: this.#parts.workspace });
    this.#writeTitle();
    this.#recorder.writePrompt();
    this.#run.finish(ended);
    if (!this.#disposal) await this.#summaries.summarise();
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
