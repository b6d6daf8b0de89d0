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
  title: 'Context window',
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
        detail: `openAgent.contextWindow says ${count(setting)} tokens, but the server has loaded the model with ${count(real.tokens)}.`,
        remedy: {
          text: `Set it to null or ${real.tokens}, or load the model with more.`,
          setting: 'openAgent.contextWindow',
        },
      };
    }
    const used = contextWindowOf(model, { setting, server });
    const size = `${count(used?.tokens ?? 0)} tokens`;
    if (!used || (used.source === 'assumed' && kind !== 'ollama')) {
      const assumed = used ? ` Open Agent assumes ${size}.` : '';
      return {
        status: 'unknown',
        detail: `The server does not report the context window.${assumed}`,
        remedy: bySetting,
      };
    }
    const { tokens, source } = used;
    const remedy = windowRemedy(kind, RECOMMENDED);
    if (source === 'assumed') {
      return {
        status: 'advice',
        detail: `Ollama does not say how much it has loaded. On most machines it is ${size}, and Ollama silently drops the start of longer conversations.`,
        remedy,
      };
    }
    const says = { setting: 'by openAgent.contextWindow', loaded: 'as loaded', advertised: 'as the model could take' }[
      source
    ];
    if (tokens < OUR_INSTRUCTIONS) {
      const detail = `${size}, ${says}: our instructions alone do not fit.`;
      return { status: 'problem', detail, remedy: windowRemedy(kind, LEAST) };
    }
    if (tokens < LEAST)
      return { status: 'problem', detail: `${size}, ${says}: too few to work on files with.`, remedy };
    if (tokens < ENOUGH) {
      return { status: 'advice', detail: `${size}, ${says}. Small tasks work; 16k and more is better.`, remedy };
    }
    if (source === 'advertised') {
      const detail = `${size}, ${says}; the server does not say how many it has loaded.`;
      return { status: 'advice', detail, remedy: bySetting };
    }
    return { status: 'ok', detail: `${size}, ${says}.` };
  },
};

const bySetting: Remedy = {
  text: 'If you know how many tokens the model was loaded with, set it.',
  setting: 'openAgent.contextWindow',
};

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
