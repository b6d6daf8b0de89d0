import { visibleText } from '../../util/text/visibleText';
import type { BackgroundCommand, BackgroundCommands } from '../../workspace/ports';
import type { ChatCommand } from './chatCommand';
import { safeTerminalText } from '../terminal/safeTerminalText';

/** `/running` and `/stop`. */
export function backgroundCommands(background: Pick<BackgroundCommands, 'list' | 'stop'>): readonly ChatCommand[] {
  return [
    {
      name: 'running',
      about: 'list the commands that run in the background',
      run: ({ print }) => {
        const running = background.list();
        print(running.length === 0 ? 'Nothing runs in the background.\n' : running.map(describe).join(''));
      },
    },
    {
      name: 'stop',
      argument: 'ID',
      about: 'end a command that runs in the background, with everything it started',
      run: async ({ print }, id) => {
        const wanted = id.startsWith('output:') ? id : `output:${id}`;
        const isStopped = await background.stop(wanted);
        print(
          isStopped
            ? `Stopped ${safeTerminalText(wanted)}.\n`
            : `There is no background command ${safeTerminalText(wanted)}. See /running.\n`,
        );
      },
    },
  ];
}

function describe({ id, command, lastLine }: BackgroundCommand): string {
  const shown = visibleText(command, 'command').slice(0, 300);
  return `${id}  ${shown}\n${lastLine === '' ? '' : `    ${visibleText(lastLine, 'path')}\n`}`;
}
