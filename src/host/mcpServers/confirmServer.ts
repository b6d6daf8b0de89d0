import * as vscode from 'vscode';
import type { ConsentAnswer, ConsentQuestion } from '../../mcp/consent';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';

/** People cannot read more in a dialog. Longer commands belong in a script. */
const maxCharacters = 3_000;
const maxLines = 30;

const allow = vscode.l10n.t('Allow');
const never = vscode.l10n.t('Never');

/** Asks whether a server may be used, and shows its whole configuration. Throws when that is too long to be shown. */
export async function confirmServer(question: ConsentQuestion): Promise<ConsentAnswer> {
  const { message, detail } = describeQuestion(question, vscode.env.remoteName !== undefined);
  if (detail.length > maxCharacters || detail.split('\n').length > maxLines) {
    throw new Error(
      vscode.l10n.t('its configuration is too long to be shown and allowed. Move the long part into a script.'),
    );
  }
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, allow, never);
  return answer === allow ? 'allow' : answer === never ? 'never' : 'not_now';
}

function describeQuestion({ server, kind, before, after }: ConsentQuestion, isRemote: boolean) {
  const message =
    before === undefined
      ? vscode.l10n.t('Use the MCP server "{0}"?', server)
      : vscode.l10n.t('The MCP server "{0}" has changed since you allowed it. Use it?', server);
  const does =
    kind === 'stdio'
      ? isRemote
        ? vscode.l10n.t('It runs on the machine with your files, with all your rights:')
        : vscode.l10n.t('It runs on this machine, with all your rights:')
      : vscode.l10n.t('Its address:');
  const shown = before === undefined || before === after ? after : unifiedDiff(`${before}\n`, `${after}\n`).text;
  const parts = [
    does,
    visibleText(shown, 'code'),
    ...(before !== undefined && before === after
      ? [vscode.l10n.t('Only values of variables or headers have changed.')]
      : []),
    vscode.l10n.t('Each call of its tools asks, unless a rule allows it. You are asked again when this changes.'),
  ];
  return { message, detail: parts.join('\n\n') };
}
