import * as l10n from '../../../../util/l10n';
import type { Message } from '../../../../sdk/messages';
import { withoutTools, type Check } from '../check';
import { templateRemedy } from '../../remedies';
import type { Examination } from '../examination';
import { MAX_TOKENS, numbersOf, quoted, ranOut, resultOf, testTool, user } from '../testTool';

/** Checks that the server accepts a history with a call and its result, and that the model uses the result. */
export const toolResultCheck: Check = {
  id: 'tool_result',
  title: () => l10n.t('Tool results'),
  skip: withoutTools,
  async run(found) {
    const question = { messages: historyWith(ownId(found)), tools: [testTool], maxTokens: MAX_TOKENS };
    const answer = await found.ask(question, { tools: found.tools });
    const remedy = templateRemedy(found.runBy);
    const { error, text, rejections } = answer;
    if (error) {
      return {
        status: 'problem',
        detail: `${l10n.t('The server rejects a conversation with a tool result.')} ${error.message}`,
        remedy,
      };
    }
    if (found.tools === 'native' && found.quirks.tools === 'text') {
      found.tools = 'text';
      return { status: 'problem', detail: rejections.join(' '), remedy };
    }
    const adapted = rejections.length > 0 ? ` ${rejections.join(' ')}` : '';
    if (text.toLowerCase().includes(WORD)) {
      return {
        status: adapted === '' ? 'ok' : 'advice',
        detail: `${l10n.t('The model reads the results of its tools.')}${adapted}`,
      };
    }
    if (ranOut(answer))
      return {
        status: 'unknown',
        detail: `${l10n.t('The model had not answered after {0} tokens.', MAX_TOKENS)}${adapted}`,
      };
    if (numbersOf(answer).length > 0) {
      const detail = `${l10n.t('The model got the result of its call, and repeated the call.')}${adapted}`;
      return { status: 'advice', detail, remedy };
    }
    const wrote = text.trim() === '' ? l10n.t('It said nothing.') : l10n.t('It wrote: {0}', quoted(text));
    return {
      status: 'advice',
      detail: `${l10n.t('The result was accepted, but the model did not use it.')} ${wrote}${adapted}`,
      remedy,
    };
  },
};

const WORD = 'heron';

/** The id that the server gave to a call in this run: a template may accept no ids of that kind. */
function ownId({ answers }: Examination): string {
  return answers.flatMap(({ calls }) => calls)[0]?.id ?? 'call_0123456789abcdef';
}

function historyWith(id: string): readonly Message[] {
  return [
    user('Which word has the number 7? Find out with the tool get_word, then answer with that word.'),
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: testTool.name, input: { number: 7 } }],
      stopReason: 'tool_use',
    },
    resultOf(id, WORD),
  ];
}
