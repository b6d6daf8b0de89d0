import * as vscode from 'vscode';
import { messageOf } from '../../util/errors';
import type { Lazy } from '../../util/lazy';
import { notificationText } from '../notificationText';
import type { OutputLog } from '../outputLog';
import {
  agentCommands,
  textsWithoutAgent,
  type AgentCommand,
  type AgentCommands,
  type RunCommand,
  type WindowCommand,
} from './commandTable';

export interface CommandRegistration {
  /** Loaded by the first command that needs it. */
  readonly host: Lazy<{ readonly commands: AgentCommands }>;
  readonly log: OutputLog;
}

/** Registers every command of package.json. */
export function registerCommands({ host, log }: CommandRegistration): vscode.Disposable {
  const inWindow: Readonly<Record<WindowCommand, RunCommand>> = {
    async showLog() {
      log.show();
    },
    async openSettings() {
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:open-agent.open-agent-vscode');
    },
    async getStarted() {
      await vscode.commands.executeCommand(
        'workbench.action.openWalkthrough',
        'open-agent.open-agent-vscode#start',
        false,
      );
    },
  };
  const byAgent = (name: AgentCommand): RunCommand => {
    const textWithoutAgent = textsWithoutAgent[name];
    return async (...args) => {
      const loading = textWithoutAgent === undefined ? host.get() : host.ifLoaded();
      if (loading) return (await loading).commands[name](...args);
      const text = textWithoutAgent?.();
      if (text) void vscode.window.showInformationMessage(text);
    };
  };
  const runs = [...Object.entries(inWindow), ...agentCommands.map((name) => [name, byAgent(name)] as const)];
  return vscode.Disposable.from(...runs.map(([name, run]) => register(`openAgent.${name}`, run, log)));
}

function register(id: string, run: RunCommand, log: OutputLog): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
    try {
      await run(...args);
    } catch (error) {
      log.error(error);
      void vscode.window.showErrorMessage(notificationText(messageOf(error)));
    }
  });
}
