import * as l10n from '../../../../util/l10n';
import type { Remedy } from '../../../view/server/doctorReport';
import { withoutAnswer, type Check } from '../check';
import type { Examination } from '../examination';
import { reasoningRemedy } from '../../remedies';
import { MAX_TOKENS, ranOut } from '../testTool';

/** With fewer tokens, a reasoning model may be cut off before its answer. */
const MIN_TOKENS_FOR_THOUGHT = 2_048;

/**
 * Checks whether the model reasons, where the reasoning arrives, and whether it leaves room for an answer. Uses earlier
 * answers.
 */
export const reasoningCheck: Check = {
  id: 'reasoning',
  title: () => l10n.t('Reasoning'),
  skip: withoutAnswer,
  run(found) {
    const { answer, answers, options } = found;
    const thoughtful = answers.find(({ thinking }) => thinking !== '');
    if (!thoughtful) return { status: 'ok', detail: l10n.t('The model answers without showing thoughts.') };
    const field = answers.map(({ raw }) => raw.reasoningField).find((name) => name !== undefined);
    const where =
      field === undefined
        ? l10n.t('Thoughts come in tags inside the answer; Open Agent takes them out.')
        : l10n.t('Thoughts come apart from the answer, in {0}.', field);
    const { maxTokens } = options.settings;
    if (maxTokens !== null && maxTokens < MIN_TOKENS_FOR_THOUGHT) {
      return {
        status: 'advice',
        detail: `${where} ${l10n.t('openAgent.maxTokens allows {0} tokens for thoughts and answer together, which may end in a thought.', maxTokens)}`,
        remedy: { text: l10n.t('Set it to null, or to 4096 or more.'), setting: 'openAgent.maxTokens' },
      };
    }
    if (answer && ranOut(answer) && answer.text.trim() === '') {
      const detail = `${where} ${l10n.t('Over a simple question the model thought for all of {0} tokens, so answers will take long.', MAX_TOKENS)}`;
      return { status: 'advice', detail, remedy: lessThought(found) };
    }
    if (field !== undefined) return { status: 'ok', detail: where };
    return { status: 'advice', detail: where, remedy: reasoningRemedy(found.runBy) };
  },
};

function lessThought({ server }: Examination): Remedy {
  if (server?.kind === 'llama.cpp') {
    return {
      text: l10n.t(
        'If that is too slow, llama-server turns thinking off with --reasoning-budget 0; or use a model that does not think.',
      ),
      copy: '--reasoning-budget 0',
    };
  }
  return {
    text: l10n.t('If that is too slow, use a model that does not think, such as Qwen3-Coder.'),
    action: 'selectModel',
  };
}
