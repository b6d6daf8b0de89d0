import type { Command, CommandParts } from '../command';
import { submitSelection } from './submitSelection';

export function explainSelection(parts: CommandParts): Command {
  return { id: 'openAgent.explainSelection', run: () => submitSelection(parts, 'explain') };
}
