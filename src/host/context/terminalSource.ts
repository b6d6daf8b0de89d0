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
      const why = active ? whyUnknown(active) : 'No terminal is open.';
      if (!other) throw new Error(`${why} Remove @terminal.`);
      return terminalContext({ terminal: other.name, runs: history.runsOf(other), ...(active && { note: why }) });
    },
  };
}

function whyUnknown({ name, shellIntegration }: vscode.Terminal): string {
  return shellIntegration
    ? `No command of the terminal "${name}" is known: none began since Open Agent watches it.`
    : `VS Code's shell integration does not work in the terminal "${name}", so its commands are not known.`;
}
