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
          'The model calls tools that are described in text. Open Agent uses this for the model from now on. Native calls work better.',
      };
    }
    if (ranOut(answer)) {
      return {
        status: 'unknown',
        detail: `The model used all ${MAX_TOKENS} tokens without calling the tool.`,
      };
    }
    const wrote = answer.text.trim() === '' ? '' : ` It wrote: ${quoted(answer.text)}`;
    return {
      status: 'problem',
      detail: `The model does not call tools in text either. It can chat, but not read or change files.${wrote}`,
      remedy,
    };
  },
};
