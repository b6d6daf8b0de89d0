import type { Command, CommandParts } from '../command';
import { showPanel } from '../../panel/showPanel';

/** Shows one session in the panel. It only shows: whatever it asks is answered there. */
export function showSession({ host }: CommandParts): Command {
  return {
    id: 'openAgent.showSession',
    async run(sessionId) {
      if (typeof sessionId !== 'string') return;
      const { panel } = await host.get();
      await panel.showSession(sessionId);
      await showPanel();
    },
  };
}
