import type { Command, CommandParts } from '../command';

export function stop({ host }: CommandParts): Command {
  return {
    id: 'openAgent.stop',
    async run() {
      // What is not loaded runs nothing.
      await (await host.ifLoaded())?.panel.stop();
    },
  };
}
