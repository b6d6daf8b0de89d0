import * as l10n from '../../../../util/l10n';
import { withoutAnswer, type Check } from '../check';
import { MAX_TOKENS, numbersOf, quoted, ranOut } from '../testTool';
import { callQuestion } from './nativeTools';

/** Checks that the model calls tools described in text. Only when native calls fail. */
export const textToolsCheck: Check = {
  id: 'text_tools',
  title: () => l10n.t('Tool calls in text'),
  skip: (found) =>
    withoutAnswer(found) ?? (found.tools === 'native' ? l10n.t('Not needed: tool calls work natively.') : undefined),
  async run(found) {
    const answer = found.answerInText ?? (await found.ask(callQuestion, { tools: 'text' }));
    const remedy = {
      text: l10n.t('Choose a model that was trained to call tools, such as Qwen3, Qwen3-Coder, gpt-oss or Devstral.'),
      action: 'selectModel',
    } as const;
    if (answer.error) return { status: 'problem', detail: answer.error.message, remedy };
    if (numbersOf(answer).length > 0) {
      found.tools = 'text';
      return {
        status: 'ok',
        detail: l10n.t(
          'The model calls tools that are described in text. Open Agent uses this for the model from now on. Native calls work better.',
        ),
      };
    }
    if (ranOut(answer)) {
      return {
        status: 'unknown',
        detail: l10n.t('The model used all {0} tokens without calling the tool.', MAX_TOKENS),
      };
    }
    const wrote = answer.text.trim() === '' ? '' : ` ${l10n.t('It wrote: {0}', quoted(answer.text))}`;
    return {
      status: 'problem',
      detail: `${l10n.t('The model does not call tools in text either. It can chat, but not read or change files.')}${wrote}`,
      remedy,
    };
  },
};
