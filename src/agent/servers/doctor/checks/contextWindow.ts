import * as l10n from '../../../../util/l10n';
import { grouped } from '../../../../util/locale';
import type { Remedy } from '../../../view/server/doctorReport';
import { contextWindowOf } from '../../model/contextWindow';
import { withoutServer, type Check } from '../check';
import { windowRemedy } from '../../remedies';

/** In tokens: enough for ordinary tasks, and the least for small ones. */
const ENOUGH = 16_384;
const LEAST = 8_192;
const RECOMMENDED = 32_768;

/** Instructions, tools and the least room for a prompt, in tokens. `bench/` holds the first two below 1,150. */
const OUR_INSTRUCTIONS = 1_280;

/** Checks the size of the context window and its source. Asks the server again: some know the size only after an answer. */
export const contextWindowCheck: Check = {
  id: 'context_window',
  title: () => l10n.t('Context window'),
  skip: withoutServer,
  async run(found) {
    const again = await found.probe();
    if (again.ok) found.server = again;
    const { model, server, options } = found;
    const kind = server?.kind ?? 'unknown';
    const { contextWindow: setting } = options.settings;
    const real = contextWindowOf(model, { setting: null, server });
    if (setting !== null && real?.source === 'loaded' && setting > real.tokens) {
      return {
        status: 'problem',
        detail: l10n.t(
          'openAgent.contextWindow says {0} tokens, but the server has loaded the model with {1}.',
          count(setting),
          count(real.tokens),
        ),
        remedy: {
          text: l10n.t('Set it to null or {0}, or load the model with more.', real.tokens),
          setting: 'openAgent.contextWindow',
        },
      };
    }
    const used = contextWindowOf(model, { setting, server });
    const size = l10n.t('{0} tokens', count(used?.tokens ?? 0));
    if (!used || (used.source === 'assumed' && kind !== 'ollama')) {
      const assumed = used ? ` ${l10n.t('Open Agent assumes {0}.', size)}` : '';
      return {
        status: 'unknown',
        detail: `${l10n.t('The server does not report the context window.')}${assumed}`,
        remedy: bySetting(),
      };
    }
    const { tokens, source } = used;
    const remedy = windowRemedy(found.runBy, RECOMMENDED);
    if (source === 'assumed') {
      return {
        status: 'advice',
        detail: l10n.t(
          'Ollama does not say how much it has loaded. On most machines it is {0}, and Ollama silently drops the start of longer conversations.',
          size,
        ),
        remedy,
      };
    }
    const says = sourceText(source);
    if (tokens < OUR_INSTRUCTIONS) {
      const detail = l10n.t('{0}, {1}: our instructions alone do not fit.', size, says);
      return { status: 'problem', detail, remedy: windowRemedy(found.runBy, LEAST) };
    }
    if (tokens < LEAST)
      return { status: 'problem', detail: l10n.t('{0}, {1}: too few to work on files with.', size, says), remedy };
    if (tokens < ENOUGH) {
      return {
        status: 'advice',
        detail: l10n.t('{0}, {1}. Small tasks work; 16k and more is better.', size, says),
        remedy,
      };
    }
    if (source === 'advertised') {
      const detail = l10n.t('{0}, {1}; the server does not say how many it has loaded.', size, says);
      return { status: 'advice', detail, remedy: bySetting() };
    }
    return { status: 'ok', detail: `${size}, ${says}.` };
  },
};

const bySetting = (): Remedy => ({
  text: l10n.t('If you know how many tokens the model was loaded with, set it.'),
  setting: 'openAgent.contextWindow',
});

function sourceText(source: 'setting' | 'loaded' | 'advertised'): string {
  if (source === 'setting') return l10n.t('by openAgent.contextWindow');
  return source === 'loaded' ? l10n.t('as loaded') : l10n.t('as the model could take');
}

function count(tokens: number): string {
  return grouped(tokens);
}
