import type { Command, CommandParts } from '../command';
import { showPanel } from '../../panel/showPanel';

/** Checks the server and the model in use, in the panel. */
export function checkServer({ host }: CommandParts): Command {
  return {
    id: 'openAgent.checkServer',
    async run() {
      await showPanel();
      (await host.get()).panel.checkServer();
    },
  };
}
