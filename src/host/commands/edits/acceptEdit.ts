import type { Command, CommandParts } from '../command';
import { noProposedEdit, proposedEdit } from './proposedEdit';

export function acceptEdit({ host }: CommandParts): Command {
  return {
    id: 'openAgent.acceptEdit',
    async run(argument) {
      const requestId = proposedEdit(argument);
      const loaded = await host.ifLoaded();
      if (requestId === undefined || !loaded?.approver.approve(requestId)) noProposedEdit();
    },
  };
}
