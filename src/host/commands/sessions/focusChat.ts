import { showPanel } from '../../panel/showPanel';
import type { Command, CommandParts } from '../command';

export function focusChat({ host }: CommandParts): Command {
  return {
    id: 'openAgent.focusChat',
    async run() {
      await showPanel();
      (await host.get()).panel.focusComposer();
    },
  };
}
