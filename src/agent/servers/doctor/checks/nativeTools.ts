import * as l10n from '../../../../util/l10n';
import { isJsonObject } from '../../../../util/json';
import type { Answer } from '../askModel';
import { withoutAnswer, type Check, type Outcome } from '../check';
import type { Examination } from '../examination';
import { templateLacksTools } from '../../model/toolSupport';
import { toolCallsRemedy } from '../../remedies';
import { MAX_TOKENS, numbersOf, quoted, ranOut, testTool, user } from '../testTool';

/** The task for the test tool, used for native calls and calls in text. */
export const callQuestion = {
  messages: [
    user('Which word has the number 42? Find out with the tool get_word. Call it now and write nothing else.'),
  ],
  tools: [testTool],
  maxTokens: MAX_TOKENS,
};

/** Checks that the model calls a tool of the request's `tools` field. Asks in text where it does not. */
export const nativeToolsCheck: Check = {
  id: 'native_tools',
  title: () => l10n.t('Tool calls'),
  skip: withoutAnswer,
  async run(found) {
    const outcome = await tryNative(found);
    if (outcome.status !== 'problem') return outcome;
    // Open Agent offers tools in text then. Where that works, the model can be used.
    found.answerInText ??= await found.ask(callQuestion, { tools: 'text' });
    return numbersOf(found.answerInText).length > 0 ? { ...outcome, status: 'advice' } : outcome;
  },
};

async function tryNative(found: Examination): Promise<Outcome> {
  if (found.server !== undefined && templateLacksTools(found.server, found.model)) {
    return {
      status: 'problem',
      detail: l10n.t('The chat template of the model has no tools, so the server leaves them out of requests.'),
      remedy: toolCallsRemedy(found.runBy),
    };
  }
  const answer = await found.ask(callQuestion);
  const outcome = judge(found, answer);
  const wasText = found.options.quirks.get(found.model).tools === 'text';
  if (found.tools !== 'native' || !wasText) return outcome;
  const corrected = l10n.t('From now on Open Agent offers tools to this model natively, not in text.');
  return { ...outcome, detail: `${outcome.detail} ${corrected}` };
}

function judge(found: Examination, answer: Answer): Outcome {
  const remedy = toolCallsRemedy(found.runBy);
  const { error, raw, rejections, brokenCalls, text } = answer;
  if (found.quirks.tools === 'text') {
    // The client has already asked again with tools in text.
    found.answerInText = answer;
    return {
      status: 'problem',
      detail: `${l10n.t('The server rejects tools for this model.')} ${wordsIn(rejections)}`,
      remedy,
    };
  }
  if (error) return { status: 'problem', detail: error.message, remedy };
  const numbers = numbersOf(answer);
  if (numbers.length > 0) {
    found.tools = 'native';
    if (raw.callPieces.length === 0) {
      return {
        status: 'advice',
        detail: l10n.t(
          "The call came as text in the model's own markup, because the server did not recognise it. Open Agent reads it anyway.",
        ),
        remedy,
      };
    }
    if (rejections.length > 0)
      return { status: 'advice', detail: `${l10n.t('The model calls tools.')} ${rejections.join(' ')}`, remedy };
    return { status: 'ok', detail: [l10n.t('The model calls tools natively.'), ...oddities(answer)].join(' ') };
  }
  const [broken] = brokenCalls;
  if (broken)
    return {
      status: 'problem',
      detail: l10n.t('The model called a tool, but not in a way that can be used: {0}', broken.error),
      remedy,
    };
  if (ranOut(answer)) {
    return {
      status: 'unknown',
      detail: l10n.t('The model used all {0} tokens without calling the tool.', MAX_TOKENS),
    };
  }
  const instead = text.trim() === '' ? l10n.t('It said nothing.') : l10n.t('It wrote: {0}', quoted(text));
  return { status: 'problem', detail: `${l10n.t('The model did not call the tool.')} ${instead}`, remedy };
}

/** Quotes the server's messages. Our reaction and the remedy are separate sentences. */
function wordsIn(rejections: readonly string[]): string {
  // The words that begin a quote, in the language of the message.
  const start = l10n.t('It says: {0}', '');
  return rejections.map((message) => message.slice(Math.max(0, message.indexOf(start)))).join(' ');
}

/** Deviations that do no harm. */
function oddities({ raw, calls }: Answer): readonly string[] {
  const isObject = raw.callPieces.some(
    (piece) => isJsonObject(piece['function']) && isJsonObject(piece['function']['arguments']),
  );
  const { finishReason, finishWord = 'none' } = raw;
  const isInteger = Number.isInteger(calls[0]?.input['number']);
  return [
    finishReason !== 'calls' &&
      l10n.t(
        'The server ends such an answer with finish_reason {0}; Open Agent does not rely on it.',
        quoted(finishWord),
      ),
    isObject && l10n.t('The server sends arguments as an object, not as text; Open Agent accepts both.'),
    !isInteger && l10n.t('The model wrote a number as text; Open Agent corrects that.'),
  ].filter((line) => line !== false);
}
