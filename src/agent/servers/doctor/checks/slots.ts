import { contextWindowOf } from '../../model/contextWindow';
import { withoutServer, type Check } from '../check';

/** With a smaller context window, slots should not share it. */
const ROOMY = 32_768;

/** Checks how many requests the server handles at once, and what that costs a conversation. */
export const slotsCheck: Check = {
  id: 'slots',
  title: 'Slots',
  skip: withoutServer,
  run({ server, model }) {
    const slots = server?.slots;
    if (slots === undefined) {
      const detail = 'The server does not say how many requests it handles at once. Open Agent sends one at a time.';
      return { status: 'unknown', detail };
    }
    if (slots === 1) return { status: 'ok', detail: 'One, so a conversation has the whole window and cache.' };
    const known = contextWindowOf(model, { setting: null, server });
    const window = known?.source === 'assumed' ? undefined : known?.tokens;
    const each = window === undefined ? '' : `, each with ${window.toLocaleString('en')} tokens`;
    if (window === undefined || window >= ROOMY) {
      return { status: 'ok', detail: `${slots}${each}: so many sessions can run at once.` };
    }
    return {
      status: 'advice',
      detail: `${slots}${each}. llama-server divides -c among them, or lets them share it: then not all of them can be full at once.`,
      remedy: {
        text: 'If you run one session at a time, start llama-server with -np 1: the whole of -c is then for one conversation.',
        copy: '-np 1',
      },
    };
  },
};
