import * as vscode from 'vscode';
import type { ContextSource } from '../../agent/context/contextSource';
import { terminalContext } from '../../agent/prompts/terminal';
import type { TerminalHistory } from '../terminal/terminalHistory';

/** `@terminal`: the newest commands of the active terminal and their output. */
export function createTerminalSource(
  history: Pick<TerminalHistory, 'newestTerminal' | 'runsOf' | 'untilRead'>,
): ContextSource {
  return {
    async read() {
      await history.untilRead();
      const active = vscode.window.activeTerminal;
      const runs = active ? history.runsOf(active) : [];
      if (active && runs.length > 0) return terminalContext({ terminal: active.name, runs });
      const other = history.newestTerminal;
      if (!other) throw new Error(nothingToSend(active));
      const note = active && whyUnknown(active);
      return terminalContext({ terminal: other.name, runs: history.runsOf(other), ...(note && { note }) });
    },
  };
}

/** Why the prompt cannot have a terminal, for people. */
function nothingToSend(active: vscode.Terminal | undefined): string {
  if (!active) return vscode.l10n.t('No terminal is open. Remove @terminal.');
  const { name, shellIntegration } = active;
  return shellIntegration
    ? vscode.l10n.t(
        'No command of the terminal "{0}" is known: none began since Open Agent watches it. Remove @terminal.',
        name,
      )
    : vscode.l10n.t(
        'VS Code\'s shell integration does not work in the terminal "{0}", so its commands are not known. Remove @terminal.',
        name,
      );
}

/** Why the active terminal is not the one that is sent, for the model. */
function whyUnknown({ name, shellIntegration }: vscode.Terminal): string {
  return shellIntegration
    ? `No command of the terminal "${name}" is known: none began since Open Agent watches it.`
    : `VS Code's shell integration does not work in the terminal "${name}", so its commands are not known.`;
}
