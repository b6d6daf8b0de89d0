import type { Client } from '../../sdk/client';
import { withoutImageBytes, type SessionImages } from './sessionImages';
import { AgentError, errorInfoOf, type AgentErrorInfo } from '../../sdk/errors';
import type { AgentEvent, RunOutcome, WarningCode } from '../../sdk/events';
import type { SessionLog } from '../../sdk/session/sessionLog';
import { addInstructions } from '../context/addInstructions';
import { contextSections } from '../context/contextSections';
import type { ProjectRules } from '../context/projectRules';
import type { CurrentClient } from './currentClient';
import type { RunRecorder } from './runRecorder';
import type { SessionFeed } from './sessionFeed';
import { writeEpoch } from './sessionHead';
import type { PendingPrompt, WaitingPrompts } from './waitingPrompts';
import { compactionNotice, limitNotice, notCompactedNotice, toldNotice } from '../view/notices/notices';
import { sentInstructions } from '../view/prompt/instructionSections';
import { failureNotice } from '../view/notices/failureNotice';
import type { NoticeAction } from '../view/sessionView';

export interface SessionRunParts {
  readonly log: SessionLog;
  readonly currentClient: CurrentClient;
  readonly recorder: RunRecorder;
  readonly images: SessionImages;
  readonly waitingPrompts: WaitingPrompts;
  readonly feed: SessionFeed;
  /** The context for the first prompt of the conversation. Absent: none. */
  readonly projectRules?: ProjectRules | undefined;
  readonly newId: () => string;
  /** The session is being closed: an interrupted run gets no end on file, so that it can be continued. */
  readonly isClosing: () => boolean;
  /** Gets unexpected errors. */
  readonly onInternalError: (error: unknown) => void;
}

interface RunEnd {
  readonly outcome: RunOutcome;
  readonly error?: AgentErrorInfo | undefined;
}

/** Runs the client of a session once. Writes its events to the file and tells them to the feed. */
export class SessionRun {
  readonly #parts: SessionRunParts;

  constructor(parts: SessionRunParts) {
    this.#parts = parts;
  }

  /** Runs with a prompt, or continues without one. Never rejects: a failure is an outcome. */
  async run(prompt: PendingPrompt | undefined, signal: AbortSignal): Promise<RunEnd> {
    const { currentClient, recorder, onInternalError } = this.#parts;
    if (prompt) recorder.expectPrompt(prompt);
    try {
      const client = await currentClient.obtain(signal, prompt !== undefined);
      if (!client) return { outcome: 'interrupted' };
      const ended = await this.#drive(client, prompt && (await this.#withRules(prompt, client)), signal);
      recorder.dropPrompt();
      return ended;
    } catch (cause) {
      if (!(cause instanceof AgentError)) onInternalError(cause);
      return { outcome: 'error', error: errorInfoOf(cause) };
    }
  }

  /**
   * Lets the model summarise the older part of the conversation. `focus`: what to keep above all. Says how it ended; the file
   * holds only what was summarised. Never rejects.
   */
  async compact(focus: string | undefined, signal: AbortSignal): Promise<RunOutcome> {
    const { currentClient, feed, newId, onInternalError } = this.#parts;
    let isShorter = false;
    let ended: RunEnd;
    try {
      const client = await currentClient.obtain(signal, false);
      if (!client) return 'interrupted';
      ended = await this.#follow(client.compact({ focus, signal }), async (event) => {
        isShorter ||= event.type === 'compaction';
        // The newest answer on screen ended before.
        if (event.type !== 'run_end') await this.#take(client, event);
      });
    } catch (cause) {
      if (!(cause instanceof AgentError)) onInternalError(cause);
      ended = { outcome: 'error', error: errorInfoOf(cause) };
    }
    const { outcome, error } = ended;
    if (outcome !== 'interrupted' && !isShorter) feed.notice(notCompactedNotice(newId(), error));
    return outcome;
  }

  /** Writes how a run ended, and says what the person can do about it. */
  finish({ outcome, error: given }: RunEnd): void {
    const { recorder, feed, isClosing } = this.#parts;
    if (outcome === 'interrupted' && isClosing()) return;
    const unknown: AgentErrorInfo = { code: 'invalid_state', message: 'The run failed without saying why.' };
    const error = outcome === 'error' ? (given ?? unknown) : undefined;
    const id = recorder.recordEnd(outcome, error);
    if (outcome === 'limit') feed.notice(limitNotice(id));
    if (!error) return;
    feed.tell({ type: 'failed', error });
    feed.notice(failureNotice(id, error));
  }

  /** The prompt for the model, with the project's instructions that it does not have yet. */
  async #withRules(prompt: PendingPrompt, { contextWindow }: Client): Promise<PendingPrompt> {
    const { recorder, feed } = this.#parts;
    const whole = await this.#instructed(prompt, contextWindow);
    if (!whole) return prompt;
    const { id, contextLabels, content } = whole;
    feed.tell({ type: 'prompt_context', id, contextLabels, instructions: sentInstructions(content) });
    recorder.expectPrompt(whole);
    return whole;
  }

  /** As `withRules`, for the messages that the run takes next. */
  async #addRulesToSteering({ contextWindow }: Client): Promise<void> {
    const { waitingPrompts } = this.#parts;
    const next = waitingPrompts.nextHanded;
    const whole = next && (await this.#instructed(next, contextWindow));
    if (next && whole) waitingPrompts.replaceHanded(next, whole);
  }

  async #instructed(prompt: PendingPrompt, contextWindow: number | undefined): Promise<PendingPrompt | undefined> {
    const { log, projectRules } = this.#parts;
    return projectRules && addInstructions(prompt, { log, projectRules, contextWindow });
  }

  async #drive(client: Client, prompt: PendingPrompt | undefined, signal: AbortSignal): Promise<RunEnd> {
    this.#parts.log.append({ type: 'status_update', status: 'RUNNING' });
    const content = prompt && (await this.#parts.images.contentOf(prompt));
    const events = content !== undefined ? client.run(content, { signal }) : client.continueRun({ signal });
    return this.#follow(events, (event) => this.#take(client, event));
  }

  async #follow(events: ReturnType<Client['run']>, take: (event: AgentEvent) => Promise<void>): Promise<RunEnd> {
    try {
      for (let next = await events.next(); ; next = await events.next()) {
        if (next.done) return next.value;
        await take(next.value);
      }
    } catch (cause) {
      // The client's history may differ from the file, and the file counts.
      this.#parts.currentClient.outdate('failure');
      throw cause;
    }
  }

  async #take(client: Client, event: AgentEvent): Promise<void> {
    const { log, recorder, waitingPrompts, feed, newId } = this.#parts;
    const recorded = recorder.record(event);
    const isTold = event.type === 'user_message' && event.origin === 'hook';
    const entry = event.type === 'compaction' || isTold ? log.entries.at(-1) : undefined;
    // The listeners are told what the file holds already, so that a killed process loses nothing that they know.
    await recorded;
    feed.showSent(waitingPrompts.drainSent(), waitingPrompts.items);
    feed.tell({ type: 'agent', event: withoutImageBytes(event) });
    this.#showContext(client, event);
    if (entry?.type === 'compaction') feed.notice(compactionNotice(entry));
    else if (entry && isTold) feed.notice(toldNotice(entry.id, event.text));
    if (event.type === 'run_start') waitingPrompts.listen(client);
    if (BEFORE_STEERING.has(event.type)) await this.#addRulesToSteering(client);
    if (event.type === 'warning' && event.code === 'server_quirk') writeEpoch(log, 'quirk');
    if (event.type === 'warning' && SHOWN_WARNINGS.has(event.code)) {
      const { message } = event;
      const actions: readonly NoticeAction[] =
        event.code === 'server_quirk' ? ['forgetQuirks', 'showQuirks', 'showLog'] : ['showLog'];
      feed.notice({ id: newId(), severity: 'warning', message, actions });
    }
  }

  /** After an answer the server's count; until then tool results and prompts are estimated. */
  #showContext(client: Client, event: AgentEvent): void {
    const { contextWindow: window } = client;
    const known = (tokens: number) => {
      const sections = contextSections(client.contextSections(tokens), client.history, this.#parts.log.entries);
      return { tokens, sections, ...(window !== undefined && { window }) };
    };
    if (event.type === 'usage') {
      const tokens = event.usage.promptTokens + event.usage.completionTokens;
      this.#parts.feed.tell({ type: 'context', isEstimate: false, ...known(tokens) });
    } else if (CONTEXT_CHANGES.has(event.type) || (event.type === 'assistant_message' && !event.usage)) {
      const counted = client.contextTokens;
      this.#parts.feed.tell({ type: 'context', isEstimate: counted.isEstimate, ...known(counted.tokens) });
    }
  }
}

/** After the last of these events of a step the client takes the messages for the next one. It waits until they are recorded. */
const BEFORE_STEERING: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'assistant_message',
  'tool_execution_end',
]);

const CONTEXT_CHANGES: ReadonlySet<AgentEvent['type']> = new Set<AgentEvent['type']>([
  'user_message',
  'tool_execution_end',
  'compaction',
]);

/** The warnings that become notices. Others show in the run, or end it with a notice of their own. */
const SHOWN_WARNINGS: ReadonlySet<WarningCode> = new Set<WarningCode>([
  'malformed_chunk',
  'hook_failed',
  'server_quirk',
  'prompt_truncated',
]);
