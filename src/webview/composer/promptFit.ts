import * as l10n from '../../util/l10n';
import type { ContextUse } from '../../agent/view/sessionView';
import { formatTokens, formatWindow } from '../format/tokens';

/** As the core estimates English text and code. */
const CHARACTERS_PER_TOKEN = 4;
/** The share of the window that stays for the answer. */
const ANSWER = 0.1;
/** The share of the window at which earlier messages are summarised. */
const FULL = 0.75;
/** A shorter message, as a share of the window, is not worth a word. */
const SHORT = 0.05;
const MAX_DROPPED = 3;

/** Something that goes with the message, with its estimated tokens. */
interface Attached {
  readonly written: string;
  readonly label: string;
  readonly tokens?: number | undefined;
}

export interface PromptFit {
  readonly text: string;
  /** What to remove so that it fits, the largest first. */
  readonly drop: readonly Attached[];
}

/**
 * What to know about the size of a message before it is sent; `undefined`: it fits. `window`: the model's context window in
 * tokens. `attached`: what goes with it, as far as its size is known. `toldTokens`: of the project's instructions that do.
 */
export function promptFit(
  draft: string,
  use: ContextUse | undefined,
  window: number | undefined,
  { attached = [], toldTokens = 0 }: { readonly attached?: readonly Attached[]; readonly toldTokens?: number } = {},
): PromptFit | undefined {
  if (window === undefined) return undefined;
  const own = Math.ceil(draft.trim().length / CHARACTERS_PER_TOKEN);
  const tokens = own + toldTokens + attached.reduce((sum, { tokens: each = 0 }) => sum + each, 0);
  const { system = 0, tools = 0 } = use?.sections ?? {};
  const hasMore = tokens > own;
  const [size, room] = [formatTokens(tokens), formatWindow(window)];
  const over = tokens + system + tools - window * (1 - ANSWER);
  if (over > 0) {
    const drop = toDrop(attached, over);
    const wayOut =
      drop.length > 0
        ? l10n.t(
            'Remove {0} to make it fit.',
            drop.map(({ label, tokens: each = 0 }) => `${label} (${formatTokens(each)})`).join(', '),
          )
        : l10n.t('Shorten it, or save it as a file and let the agent read it in parts.');
    return {
      text: `${
        hasMore
          ? l10n.t(
              'This message does not fit: it has about {0} tokens with what goes along, and the model holds {1}.',
              size,
              room,
            )
          : l10n.t('This message does not fit: it has about {0} tokens, and the model holds {1}.', size, room)
      } ${wayOut}`,
      drop,
    };
  }
  const overFull = tokens + (use?.tokens ?? 0) - window * FULL;
  if (tokens < window * SHORT || overFull <= 0) return undefined;
  const drop = toDrop(attached, overFull);
  const wayOut =
    drop.length > 0
      ? l10n.t('Remove {0}, or start a new session, to avoid this.', drop.map(({ label }) => label).join(', '))
      : l10n.t('Shorten it, or start a new session, to avoid this.');
  return {
    text: `${
      hasMore
        ? l10n.t('This message has about {0} tokens with what goes along.', size)
        : l10n.t('This message has about {0} tokens.', size)
    } ${l10n.t('To make room for it, the model first summarises the oldest messages and results.')} ${wayOut}`,
    drop,
  };
}

/** The fewest, largest first, whose removal saves as much; none where not even a few do. */
function toDrop(attached: readonly Attached[], over: number): readonly Attached[] {
  const drop: Attached[] = [];
  let saved = 0;
  for (const one of attached.toSorted((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))) {
    if (saved >= over || drop.length >= MAX_DROPPED) break;
    drop.push(one);
    saved += one.tokens ?? 0;
  }
  return saved >= over ? drop : [];
}
