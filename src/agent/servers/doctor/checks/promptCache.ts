import { grouped } from '../../../../util/locale';
import * as l10n from '../../../../util/l10n';
import { readUsage } from '../../../../sdk/model/wire/chunk';
import { isJsonObject } from '../../../../util/json';
import { contextWindowOf } from '../../model/contextWindow';
import type { Answer } from '../askModel';
import { withoutAnswer, type Check } from '../check';
import type { Examination } from '../examination';
import { cacheRemedy, cacheReportRemedy } from '../../remedies';
import { user } from '../testTool';

/** Checks that the server caches prompts: sends two requests with the same beginning and compares the server's counts. */
export const promptCacheCheck: Check = {
  id: 'prompt_cache',
  title: () => l10n.t('Prompt cache'),
  skip: withoutAnswer,
  async run(found) {
    const systemPrompt = longText(found);
    const ask = (word: string) => ({ systemPrompt, messages: [user(`Write the word ${word}.`)], maxTokens: 16 });
    const [first, second] = await found.inOneGo(async (put) => [await put(ask('stork')), await put(ask('crane'))]);
    const error = first?.error ?? second?.error;
    if (error) return { status: 'problem', detail: error.message };
    const counts = second && cacheCounts(second);
    if (!counts) {
      return {
        status: 'unknown',
        detail: l10n.t('The server does not report its prompt cache.'),
        remedy: cacheReportRemedy(found.runBy),
      };
    }
    const { cached, total } = counts;
    const share = l10n.t(
      'Of a prompt of {0} tokens that began as the one before it, {1} were in the cache.',
      count(total),
      count(cached),
    );
    if (cached >= total / 2) return { status: 'ok', detail: share };
    return {
      status: 'advice',
      detail: `${share} ${l10n.t('So every step reads the whole conversation again.')}`,
      remedy: cacheRemedy(found.runBy, found.server?.slots),
    };
  },
};

const LINES = 100;
const TOKENS_PER_LINE = 16;

/** A fixed text of about 1,500 tokens, or a third of a small context window. */
function longText({ model, server }: Examination): string {
  const window = contextWindowOf(model, { setting: null, server })?.tokens ?? Infinity;
  const lines = Math.max(10, Math.min(LINES, Math.floor(window / 3 / TOKENS_PER_LINE)));
  const list = Array.from({ length: lines }, (_, index) => `Line ${index + 1} of a list that is there to be long.`);
  return `You answer with one word. Ignore this list:\n${list.join('\n')}`;
}

/** The prompt's tokens, and how many came from the cache; `undefined` when the server does not report a cache. */
function cacheCounts({ raw }: Answer): { readonly cached: number; readonly total: number } | undefined {
  let counts: { readonly cached: number; readonly total: number } | undefined;
  for (const { body } of raw.chunks) {
    const usage = readUsage(body);
    if (usage?.cachedTokens !== undefined) counts = { cached: usage.cachedTokens, total: usage.promptTokens };
    // Some versions of llama-server report this in `timings`, not in the usage details.
    const timings = body['timings'];
    if (!counts && isJsonObject(timings)) {
      const { cache_n: cached, prompt_n: read } = timings;
      if (typeof cached === 'number' && typeof read === 'number') counts = { cached, total: cached + read };
    }
  }
  return counts;
}

function count(tokens: number): string {
  return grouped(tokens);
}
