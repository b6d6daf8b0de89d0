import * as l10n from '../../util/l10n';
import type { AgentErrorInfo } from '../errors';

/** The least room for a prompt and its answer, in tokens. */
const LEAST_ROOM = 128;

/** An estimate may be this much too high. */
const ESTIMATE_SHARE = 0.8;

/** The window that is asked for: the smallest power of two from 8,192 with as much room again as the instructions take. */
const SMALLEST_ADVICE = 8_192;

export interface InstructionsSize {
  /** Instructions and tools, without messages, in tokens. */
  readonly tokens: number;
  readonly isEstimate: boolean;
}

/** Whether instructions and tools alone leave no room in the window. An estimate must be far above it. */
export function leavesNoRoom({ tokens, isEstimate }: InstructionsSize, contextWindow: number): boolean {
  return isEstimate ? tokens * ESTIMATE_SHARE > contextWindow : tokens + LEAST_ROOM > contextWindow;
}

/** The error for a window that the instructions alone fill. `advice` tells how to start the server with so many tokens. */
export function instructionsError(
  { tokens }: Pick<InstructionsSize, 'tokens'>,
  contextWindow: number,
  advice: (tokens: number) => string = generalAdvice,
): AgentErrorInfo {
  let wanted = SMALLEST_ADVICE;
  while (wanted < tokens * 2) wanted *= 2;
  const what = l10n.t(
    "Our instructions alone do not fit: they take about {0} tokens, and the model's context window has {1}.",
    tokens,
    contextWindow,
  );
  const message = `${what} ${advice(wanted)}`;
  return { code: 'context_overflow', message, contextLimit: contextWindow };
}

function generalAdvice(tokens: number): string {
  return l10n.t('Load the model with a context window of {0} tokens or more.', tokens);
}
