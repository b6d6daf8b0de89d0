import * as vscode from 'vscode';
import { parsePermissionRule } from '../../agent/approval/rules/permissionRules';
import type { RuleStore } from '../../agent/approval/rules/ruleStore';
import { cancellationOf } from '../cancellation';

export interface CheckCommandParts {
  readonly rules: Pick<RuleStore, 'list' | 'allow'>;
  /** Of the workspace. */
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
}

/** The command of the person's choice that checks the work in this workspace. */
export interface CheckCommand {
  /** `undefined`: none is chosen, or its rule was removed. */
  readonly known: () => string | undefined;
  /** Asks if none is chosen, once in each window. `undefined`: the person wants none. */
  readonly choose: (signal: AbortSignal) => Promise<string | undefined>;
}

const KEY = 'openAgent.checkCommand';

/** The command is kept as a rule that allows it in this workspace. Who removes the rule is asked again. */
export function createCheckCommand({ rules, memory }: CheckCommandParts): CheckCommand {
  let isDeclined = false;
  let asking: Promise<string | undefined> | undefined;
  const known = (): string | undefined => {
    const stored = memory.get<unknown>(KEY);
    const isAllowed = rules
      .list()
      .some(({ text, effect, origin }) => text === stored && effect === 'allow' && origin === 'workspace');
    return typeof stored === 'string' && isAllowed ? stored : undefined;
  };
  const ask = async (signal: AbortSignal): Promise<string | undefined> => {
    const command = (await askCommand(signal))?.trim();
    if (command === undefined) {
      // Stop is no answer.
      isDeclined = !signal.aborted;
      return undefined;
    }
    await rules.allow({ rules: [command], folder: undefined }, 'workspace', '');
    await memory.update(KEY, command);
    return command;
  };
  return {
    known,
    async choose(signal) {
      const chosen = known();
      if (chosen !== undefined || isDeclined) return chosen;
      asking ??= ask(signal).finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

async function askCommand(signal: AbortSignal): Promise<string | undefined> {
  const cancellation = cancellationOf(signal);
  try {
    return await vscode.window.showInputBox(
      {
        title: vscode.l10n.t('Which Command Checks the Work?'),
        prompt: vscode.l10n.t(
          'Open Agent has the model run it after edits, up to three times. It then runs without a question, except after edits that you have not seen. "Manage Allowed Commands…" removes it. Press Escape for no checks.',
        ),
        placeHolder: 'npm test',
        ignoreFocusOut: true,
        validateInput: problemOf,
      },
      cancellation.token,
    );
  } finally {
    cancellation.dispose();
  }
}

/** Why a text is no command that a rule can allow, for people. */
function problemOf(text: string): string | undefined {
  if (text.trim() === '') return vscode.l10n.t('Write a command, or press Escape.');
  const parsed = parsePermissionRule(text.trim(), { effect: 'allow', origin: 'workspace' });
  if (!parsed.ok) return parsed.error;
  const isOne = parsed.rule.kind === 'command' && !parsed.rule.isOpenEnded;
  return isOne ? undefined : vscode.l10n.t('Write one whole command, such as npm test.');
}
