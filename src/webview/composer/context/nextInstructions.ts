import type { InstructionChip } from '../../../agent/view/prompt/contextChip';
import type { SessionView } from '../../../agent/view/sessionView';
import type { WebviewState } from '../../state/webviewState';

type InstructedState = Pick<WebviewState, 'instructions' | 'onceOff' | 'session'>;

/**
 * The instructions to show with the next message: all with the first one of a session, later those that the session does
 * not have because they were switched off. They can be switched on again, and go with the next message then.
 */
export function nextInstructions({ instructions, onceOff, session }: InstructedState): readonly InstructionChip[] {
  const prompts = promptsOf(session);
  if (prompts.length === 0) return instructions;
  const sent = new Set(prompts.flatMap((prompt) => (prompt.instructions ?? []).map(({ id }) => id)));
  return instructions.filter(({ id }) => onceOff.has(id) && !sent.has(id));
}

function promptsOf(session: SessionView | undefined) {
  return (session?.items ?? []).filter((item) => item.kind === 'prompt');
}
