import { commandOptionsOf, defaultAgentSettings } from '../../agent/configuration/agentSettings';
import { visibleText } from '../../util/visibleText';
import { followCommands } from '../../workspace/followCommands';
import { createNodeCommands } from '../../workspace/node/commands/createNodeCommands';
import type { BackgroundCommands, WorkspacePorts } from '../../workspace/ports';
import type { CommandOptions } from '../../workspace/tools/workspaceAccess';
import type { AgentContext } from './createAgentContext';
import { terminalText } from '../terminal/terminalText';

/** What the agent's commands run with, on the command line. */
export interface ShellCommands {
  readonly ports: Pick<WorkspacePorts, 'commandRunner' | 'backgroundCommands' | 'commandOutputs' | 'confinement'>;
  readonly background: Pick<BackgroundCommands, 'list' | 'stop'>;
  /** How they run; a flag goes before the settings file. */
  readonly options: () => CommandOptions;
  /** Ends what runs in the background; resolves when every command has ended. */
  readonly dispose: () => Promise<void>;
}

/** Commands whose outputs are kept, in the background or not, confined where the flag or the settings file say so. */
export function openShellCommands({ data, given, settings, cli, log, onInternalError }: AgentContext): ShellCommands {
  const { ports, records } = createNodeCommands({
    outputsDirectory: data.outputs,
    recordsDirectory: data.runningCommands,
    confinement: { platform: cli.platform, setting: '--confine, or confineCommands in the settings file,' },
    onInternalError,
  });
  const { common = defaultAgentSettings } = settings;
  const options = commandOptionsOf({
    commandMode: 'background',
    confineCommands: given.confine ?? common.confineCommands,
  });
  const commandRunner = followCommands(ports.commandRunner);
  const { backgroundCommands } = ports;
  records
    .findOrphans()
    .then((orphans) => {
      for (const { command, cwd } of orphans) {
        const line = visibleText(command.split('\n')[0] ?? '', 'command').slice(0, 200);
        log(`Warning: a command of an earlier start that broke off still runs in ${terminalText(cwd)}: ${line}\n`);
      }
    })
    .catch(onInternalError);
  return {
    ports: { ...ports, commandRunner },
    background: backgroundCommands,
    options: () => options,
    async dispose() {
      await backgroundCommands.dispose();
      await commandRunner.settled();
    },
  };
}
