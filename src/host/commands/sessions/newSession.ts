import type { Command, CommandParts } from '../command';
import { showPanel } from '../../panel/showPanel';

export function newSession({ host }: CommandParts): Command {
  return {
    id: 'openAgent.newSession',
    async run() {
      const { panel } = await host.get();
      await panel.newSession();
      await showPanel();
      panel.focusComposer();
    },
  };
}
