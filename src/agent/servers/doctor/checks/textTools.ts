import { withoutAnswer, type Check } from '../check';
import { MAX_TOKENS, numbersOf, quoted, ranOut } from '../testTool';
import { callQuestion } from './nativeTools';

/** Checks that the model calls tools described in text. Only when native calls fail. */
export const textToolsCheck: Check = {
  id: 'text_tools',
  title: 'Tool calls in text',
  skip: (found) =>
    withoutAnswer(found) ?? (found.tools === 'native' ? 'Not needed: tool calls work natively.' : undefined),
  async run(found) {
    const answer = found.answerInText ?? (await found.ask(callQuestion, { tools: 'text' }));
    const remedy = {
      text: 'Choose a model that was trained to call tools, such as Qwen3, Qwen3-Coder, gpt-oss or Devstral.',
      action: 'selectModel',
    } as const;
    if (answer.error) return { status: 'problem', detail: answer.error.message, remedy };
    if (numbersOf(answer).length > 0) {
      found.tools = 'text';
      return {
        status: 'ok',
        detail:
          'The model calls tools that are described in text. Open Agent does so for this model from now on; it works less well than native calls.',
      };
    }
    if (ranOut(answer)) {
      return {
        status: 'unknown',
        detail: `The model used all ${MAX_TOKENS} tokens it was given and had not called the tool by then.`,
      };
    }
    const wrote = answer.text.trim() === '' ? '' : ` It wrote: ${quoted(answer.text)}`;
    return {
      status: 'problem',
      detail: `The model calls no tools that are described in text either, so it can chat but neither read nor change files.${wrote}`,
      remedy,
    };
  },
};
