import { commandOptionsOf, defaultAgentSettings } from '../../agent/configuration/agentSettings';
import { visibleText } from '../../util/text/visibleText';
import { followCommands } from '../../workspace/followCommands';
import { createNodeCommands } from '../../workspace/node/commands/createNodeCommands';
import type { BackgroundCommands, WorkspacePorts } from '../../workspace/ports';
import type { CommandOptions } from '../../workspace/tools/workspaceAccess';
import type { AgentContext } from './createAgentContext';
import { safeTerminalText } from '../terminal/safeTerminalText';

/** The ports that run the agent's commands on the command line. */
export interface ShellCommands {
  readonly ports: Pick<WorkspacePorts, 'commandRunner' | 'backgroundCommands' | 'commandOutputs' | 'confinement'>;
  readonly background: Pick<BackgroundCommands, 'list' | 'stop'>;
  /** How commands run. The flag wins over the settings file. */
  readonly options: () => CommandOptions;
  /** Ends background commands. Resolves when every command has ended. */
  readonly dispose: () => Promise<void>;
}

/** Keeps the outputs of commands, and confines commands when the flag or the settings file says so. */
export function openShellCommands({ data, given, settings, cli, log, onInternalError }: AgentContext): ShellCommands {
  const { common = defaultAgentSettings } = settings;
  const passed = [...common.commandEnvironment, ...(given.passEnvironment ?? [])];
  const { ports, records } = createNodeCommands({
    outputsDirectory: data.outputs,
    recordsDirectory: data.runningCommands,
    confinement: { platform: cli.platform, setting: '--confine, or confineCommands in the settings file,' },
    passedVariables: () => passed,
    onInternalError,
  });
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
        log(`Warning: a command of an open-agent that crashed still runs in ${safeTerminalText(cwd)}: ${line}\n`);
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
