import type { Command, CommandParts } from './command';

export function showLog({ log }: CommandParts): Command {
  return {
    id: 'openAgent.showLog',
    async run() {
      log.show();
    },
  };
}
