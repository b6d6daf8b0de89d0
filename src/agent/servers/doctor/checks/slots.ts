import * as l10n from '../../../../util/l10n';
import { grouped } from '../../../../util/locale';
import { contextWindowOf } from '../../model/contextWindow';
import { withoutServer, type Check } from '../check';

/** With a smaller context window, slots should not share it. */
const ROOMY = 32_768;

/** Checks how many requests the server handles at once, and what that costs a conversation. */
export const slotsCheck: Check = {
  id: 'slots',
  title: () => l10n.t('Slots'),
  skip: withoutServer,
  run({ server, model }) {
    const slots = server?.slots;
    if (slots === undefined) {
      const detail = l10n.t(
        'The server does not say how many requests it handles at once. Open Agent sends one at a time.',
      );
      return { status: 'unknown', detail };
    }
    if (slots === 1) return { status: 'ok', detail: l10n.t('One, so a conversation has the whole window and cache.') };
    const known = contextWindowOf(model, { setting: null, server });
    const window = known?.source === 'assumed' ? undefined : known?.tokens;
    const size = window === undefined ? '' : grouped(window);
    if (window === undefined || window >= ROOMY) {
      const detail =
        window === undefined
          ? l10n.t('{0}: so many sessions can run at once.', slots)
          : l10n.t('{0}, each with {1} tokens: so many sessions can run at once.', slots, size);
      return { status: 'ok', detail };
    }
    return {
      status: 'advice',
      detail: l10n.t(
        '{0}, each with {1} tokens. llama-server divides -c among them, or lets them share it: then not all of them can be full at once.',
        slots,
        size,
      ),
      remedy: {
        text: l10n.t(
          'If you run one session at a time, start llama-server with -np 1: the whole of -c is then for one conversation.',
        ),
        copy: '-np 1',
      },
    };
  },
};
