import type { AgentErrorInfo } from '../errors';
import type { AgentEvent, Compaction, CompactionReason } from '../events';
import type { Message, Usage } from '../messages';
import type { ModelProvider, ModelRequest } from '../model/modelProvider';
import { textOfContent } from '../images/imagePart';
import { applyCompaction, clipResults, dropImages, hasImages } from './applyCompaction';
import { newestThatFit, splitUnits } from './messageUnits';
import { estimateMessageTokens, type TokenCounter } from './tokenCount';

export interface CompactionTask {
  readonly provider: ModelProvider;
  /** The request to shorten. */
  readonly request: ModelRequest;
  readonly counter: TokenCounter;
  /** In tokens. */
  readonly contextWindow: number;
  /** Share of the window for the newest messages, from 0 to 1. */
  readonly keep: number;
  /** Replaces the built-in request for a summary. */
  readonly instruction?: string | undefined;
  /** What the summary has to keep above all, in the person's words. */
  readonly focus?: string | undefined;
  readonly reason: CompactionReason;
  readonly signal: AbortSignal;
}

export type CompactionEnd =
  | { readonly kind: 'compacted'; readonly messages: readonly Message[]; readonly usage?: Usage | undefined }
  /** Nothing can be left out. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly error: AgentErrorInfo };

/**
 * Lets the model summarise the older part of a conversation. Returns the new history: the summary and the newest
 * messages, calls with their results. The request starts like all others, so the server has most of it cached. Without
 * a summary from the model the person's own words are kept.
 */
export async function* compact(task: CompactionTask): AsyncGenerator<AgentEvent, CompactionEnd> {
  const { request, counter, contextWindow, reason } = task;
  const { messages } = request;
  const sizes = sizesOf(task);
  const dropsImages = whichImages(task, sizes);
  if (dropsImages && reason !== 'requested') {
    const end = yield* withoutSummary(task, { summary: '', keptMessages: messages.length, dropsImages });
    if (end) return end;
  }
  const units = splitUnits(dropImages(messages, dropsImages));
  const count = (list: readonly Message[]): number => counter.scale(estimateMessageTokens(list));
  const keptCount = units.slice(-newestThatFit(units, sizes.kept, count)).flat().length;
  // Summarising a summary alone does not shorten it.
  const keptMessages = messages.slice(0, messages.length - keptCount).every(isSummary) ? messages.length : keptCount;
  const older = messages.slice(0, messages.length - keptMessages);
  const kept = dropImages(messages, dropsImages).slice(messages.length - keptMessages);
  const limit = resultLimit(kept, (list) => count(list) <= sizes.kept);
  if (older.length === 0 && limit === undefined && dropsImages === undefined) return { kind: 'nothing' };

  let summarised: Summary = { kind: 'summary', text: '' };
  if (older.length > 0) {
    const purpose = reason === 'requested' ? '' : ' to fit the context window';
    yield { type: 'status', status: 'prefilling', detail: `summarising the conversation${purpose}` };
    summarised = yield* summarise(task, older, sizes.summary);
  }
  if (summarised.kind === 'failed') return summarised;
  const compaction: Compaction = {
    summary: summaryMessage(summarised.text, older, kept, sizes.summary),
    keptMessages,
    ...(limit !== undefined && { maxResultCharacters: limit }),
    ...(dropsImages && { dropsImages }),
  };
  const compacted = applyCompaction(messages, compaction);
  const tokensBefore = counter.count(request).tokens;
  const tokensAfter = counter.count({ ...request, messages: compacted }).tokens;
  // A summary can be longer than a short conversation.
  if (tokensAfter >= tokensBefore) return { kind: 'nothing' };
  yield { type: 'compaction', reason, ...compaction, tokensBefore, tokensAfter, contextWindow };
  return { kind: 'compacted', messages: compacted, usage: summarised.usage };
}

/** The share of the window that must be free for messages to come when only images are dropped. */
const FREE_WITHOUT_IMAGES = 0.4;

/** Compacts without asking the model, if that makes enough room. */
function* withoutSummary(
  { request, counter, contextWindow, reason }: CompactionTask,
  compaction: Compaction,
): Generator<AgentEvent, CompactionEnd | undefined> {
  const messages = applyCompaction(request.messages, compaction);
  const tokensBefore = counter.count(request).tokens;
  const tokensAfter = counter.count({ ...request, messages }).tokens;
  if (tokensAfter > contextWindow * (1 - FREE_WITHOUT_IMAGES)) return undefined;
  yield { type: 'compaction', reason, ...compaction, tokensBefore, tokensAfter, contextWindow };
  return { kind: 'compacted', messages };
}

/** Which images are dropped: those of earlier turns, and all when the newest turn alone would not fit with them. */
function whichImages({ request, counter }: CompactionTask, sizes: Sizes): Compaction['dropsImages'] {
  const { messages } = request;
  if (!messages.some(hasImages)) return undefined;
  const start = Math.max(
    0,
    messages.findLastIndex(({ role }) => role === 'user'),
  );
  const newest = messages.slice(start);
  const isTooLong = newest.some(hasImages) && counter.scale(estimateMessageTokens(newest)) > sizes.free;
  if (isTooLong) return 'all';
  return messages.slice(0, start).some(hasImages) ? 'earlier' : undefined;
}

type Summary =
  | { readonly kind: 'summary'; readonly text: string; readonly usage?: Usage | undefined }
  | { readonly kind: 'failed'; readonly error: AgentErrorInfo };

async function* summarise(
  task: CompactionTask,
  older: readonly Message[],
  summaryTokens: number,
): AsyncGenerator<AgentEvent, Summary> {
  const { provider, request, counter, contextWindow, signal } = task;
  const asked = task.instruction ?? summaryInstruction(summaryTokens);
  const content = task.focus ? `${asked} Above all, keep what the user named: ${task.focus}` : asked;
  const instruction: Message = { role: 'user', content };
  const promptOf = (list: readonly Message[]): ModelRequest => ({ ...request, messages: [...list, instruction] });
  const fits = (list: readonly Message[]): boolean =>
    counter.count(promptOf(list)).tokens + summaryTokens <= contextWindow * 0.95;
  const material = shorten(older, fits);
  const room = contextWindow - counter.count(promptOf(material)).tokens;
  // Leaves room for thinking, which counts towards the limit.
  const maxTokens = Math.max(summaryTokens, Math.min(summaryTokens * 4, Math.floor(room * 0.9)));
  const summaryRequest = { ...promptOf(material), sampling: { ...request.sampling, maxTokens } };
  let goneCount = 0;
  for (;;) {
    let isGone = false;
    for await (const event of provider.stream(summaryRequest, { signal })) {
      if (event.type === 'prompt_progress' || event.type === 'retry') yield event;
      if (event.type === 'response_end') {
        const text = event.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        return { kind: 'summary', text: text.trim(), usage: event.usage };
      }
      if (event.type !== 'error') continue;
      isGone = event.error.code === 'server_gone' && ++goneCount <= MAX_GONE;
      if (isGone) break;
      const isOurs = event.error.code === 'context_overflow' || event.error.code === 'loop_detected';
      return isOurs ? { kind: 'summary', text: '' } : { kind: 'failed', error: event.error };
    }
    if (!isGone) return { kind: 'summary', text: '' };
  }
}

/** How often a summary begins again because the server was gone. */
const MAX_GONE = 2;

interface Sizes {
  /** For the newest messages, in tokens. */
  readonly kept: number;
  /** For all messages beside a summary, in tokens. */
  readonly free: number;
  readonly summary: number;
}

/** Subtracts instructions and tools first: they fill much of a small window. */
function sizesOf({ request, counter, contextWindow, keep }: CompactionTask): Sizes {
  const fixed = counter.count({ ...request, messages: [] }).tokens;
  const free = Math.max(0, contextWindow - fixed);
  const summary = Math.round(Math.min(2_048, Math.max(128, free * 0.12)));
  return {
    summary,
    free: Math.max(0, free - summary),
    kept: Math.max(0, Math.min(contextWindow * keep, free * 0.5 - summary)),
  };
}

const RESULT_LIMITS = [16_000, 8_000, 4_000, 2_000, 1_000, 500];

/** The largest result limit with which the messages fit; `undefined` when they fit uncut. */
function resultLimit(messages: readonly Message[], fits: (list: readonly Message[]) => boolean): number | undefined {
  if (fits(messages) || messages.every(({ role }) => role !== 'tool')) return undefined;
  return RESULT_LIMITS.find((limit) => fits(clipResults(messages, limit))) ?? RESULT_LIMITS.at(-1);
}

/** The messages to summarise, made to fit: first cuts long results, then drops the oldest messages. */
function shorten(messages: readonly Message[], fits: (list: readonly Message[]) => boolean): readonly Message[] {
  if (fits(messages)) return messages;
  const plain = dropImages(messages, 'all');
  const limit = resultLimit(plain, fits);
  const clipped = clipResults(plain, limit);
  const units = splitUnits(clipped);
  // Fewer messages are never longer, so a search by halves finds how many of the oldest have to go.
  let [least, most] = [0, Math.max(0, units.length - 1)];
  while (least < most) {
    const dropped = Math.floor((least + most) / 2);
    if (fits(units.slice(dropped).flat())) most = dropped;
    else least = dropped + 1;
  }
  return units.slice(least).flat();
}

function summaryInstruction(summaryTokens: number): string {
  const words = Math.round(summaryTokens * 0.6);
  return (
    'The conversation is too long for the context window. Everything above will be removed, and you go on from your own ' +
    `summary alone. Write it now: plain text, at most ${words} words, no tool calls. Say what the user wants, in their ` +
    'words where they matter; what was decided; what was done, with paths, names and commands; what was found out, ' +
    'failures included; and what is to be done next.'
  );
}

const HEADING = '[Earlier messages of this conversation were left out to fit the context window.]';
const REQUEST_HEADING = "The newest request, in the user's words:\n\n";

function summaryMessage(
  text: string,
  older: readonly Message[],
  kept: readonly Message[],
  summaryTokens: number,
): string {
  if (older.length === 0) return '';
  const maxCharacters = summaryTokens * 4;
  if (text === '') return `${HEADING}\n\nWhat the user had said:\n\n${cut(saidBy(older), maxCharacters)}`;
  const summary = `${HEADING}\n\nSummary of them:\n\n${cut(text, maxCharacters)}`;
  // In the middle of a turn the request itself must survive, not only its summary.
  const request = kept.some(({ role }) => role === 'user') ? undefined : requestIn(older);
  return request === undefined ? summary : `${summary}\n\n${REQUEST_HEADING}${cut(request, maxCharacters)}`;
}

/** The person's last request. After an earlier compaction only the summary's message may have it. */
function requestIn(older: readonly Message[]): string | undefined {
  const question = older.findLast(({ role }) => role === 'user');
  if (question?.role !== 'user') return undefined;
  const asked = textOfContent(question.content);
  if (!isSummary(question)) return asked;
  const at = asked.lastIndexOf(REQUEST_HEADING);
  return at < 0 ? undefined : asked.slice(at + REQUEST_HEADING.length);
}

function isSummary(message: Message): boolean {
  return message.role === 'user' && textOfContent(message.content).startsWith(HEADING);
}

function saidBy(messages: readonly Message[]): string {
  const said = messages.flatMap((message) => (message.role === 'user' ? [`- ${textOfContent(message.content)}`] : []));
  return said.length === 0 ? '(nothing)' : said.join('\n');
}

/** Keeps the beginning and a larger part of the end, because the newest words matter most. */
function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const head = text.slice(0, Math.floor(maxCharacters * 0.3));
  const tail = text.slice(text.length - Math.floor(maxCharacters * 0.7));
  return `${head}\n[…]\n${tail}`.toWellFormed();
}
