import * as l10n from '../../../../util/l10n';
import type { Message } from '../../../../sdk/messages';
import type { Answer, Question } from '../askModel';
import { withoutTools, type Check, type Outcome } from '../check';
import type { Examination } from '../examination';
import { MAX_TOKENS, numbersOf, quoted, ranOut, resultOf, testTool, user } from '../testTool';

/** Checks that several calls in one answer arrive as several calls. */
export const parallelCallsCheck: Check = {
  id: 'parallel_calls',
  title: () => l10n.t('Several calls at once'),
  skip: withoutTools,
  async run(found) {
    const question = {
      messages: [
        user('Which words have the numbers 1 and 2? Call get_word twice in this one answer, once for each number.'),
      ],
      tools: [testTool],
      maxTokens: MAX_TOKENS,
    };
    const answer = await found.ask(question, { tools: found.tools });
    const { error, brokenCalls } = answer;
    if (error) return { status: 'problem', detail: error.message };
    const [broken] = brokenCalls;
    if (broken) {
      return {
        status: 'problem',
        detail: l10n.t('The model was asked for two calls, and its answer cannot be used: {0}', broken.error),
      };
    }
    const numbers = new Set(numbersOf(answer));
    if (numbers.has(1) && numbers.has(2)) return judgeHistory(found, question, answer);
    if (numbers.size > 0) {
      return {
        status: 'ok',
        detail: l10n.t('The model makes one call at a time. That works; it only takes a few more steps.'),
      };
    }
    if (ranOut(answer))
      return { status: 'unknown', detail: l10n.t('The model had not called the tool after {0} tokens.', MAX_TOKENS) };
    const wrote = answer.text.trim() === '' ? '' : ` ${l10n.t('It wrote: {0}', quoted(answer.text))}`;
    return { status: 'unknown', detail: `${l10n.t('This time the model called no tool.')}${wrote}` };
  },
};

/** Sends the calls back with their results: some templates accept one call in a message only. */
async function judgeHistory(found: Examination, question: Question, { calls }: Answer): Promise<Outcome> {
  const messages: readonly Message[] = [
    ...question.messages,
    { role: 'assistant', content: calls, stopReason: 'tool_use' },
    ...calls.map(({ id }, index) => resultOf(id, ['heron', 'otter'][index] ?? 'finch')),
  ];
  const { error, rejections } = await found.ask({ ...question, messages }, { tools: found.tools });
  if (error) {
    return {
      status: 'problem',
      detail: `${l10n.t('The server rejects a conversation with calls made together.')} ${error.message}`,
    };
  }
  if (rejections.length > 0) {
    return {
      status: 'advice',
      detail: `${l10n.t('Several calls in one answer arrive as they should.')} ${rejections.join(' ')}`,
    };
  }
  return { status: 'ok', detail: l10n.t('Several calls in one answer arrive as they should.') };
}
