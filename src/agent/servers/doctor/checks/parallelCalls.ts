import { withoutTools, type Check } from '../check';
import { MAX_TOKENS, numbersOf, quoted, ranOut, testTool, user } from '../testTool';

/** Checks that several calls in one answer arrive as several calls. */
export const parallelCallsCheck: Check = {
  id: 'parallel_calls',
  title: 'Several calls at once',
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
        detail: `The model was asked for two calls, and its answer cannot be used: ${broken.error}`,
      };
    }
    const numbers = new Set(numbersOf(answer));
    if (numbers.has(1) && numbers.has(2))
      return { status: 'ok', detail: 'Several calls in one answer arrive as they should.' };
    if (numbers.size > 0) {
      return {
        status: 'ok',
        detail: 'The model makes one call at a time. That works; it only takes a few more steps.',
      };
    }
    if (ranOut(answer))
      return { status: 'unknown', detail: `The model had not called the tool after ${MAX_TOKENS} tokens.` };
    const wrote = answer.text.trim() === '' ? '' : ` It wrote: ${quoted(answer.text)}`;
    return { status: 'unknown', detail: `This time the model called no tool.${wrote}` };
  },
};
