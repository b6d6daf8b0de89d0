import * as vscode from 'vscode';
import type { ConsentAnswer, ConsentQuestion } from '../../mcp/consent';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';

/** People cannot read more in a dialog. Longer commands belong in a script. */
const maxCharacters = 3_000;
const maxLines = 30;

const allow = 'Allow';
const never = 'Never';

/** Asks whether a server may be used, and shows its whole configuration. Throws when that is too long to be shown. */
export async function confirmServer(question: ConsentQuestion): Promise<ConsentAnswer> {
  const { message, detail } = describeQuestion(question, vscode.env.remoteName !== undefined);
  if (detail.length > maxCharacters || detail.split('\n').length > maxLines) {
    throw new Error('its configuration is too long to be shown and allowed. Move the long part into a script.');
  }
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, allow, never);
  return answer === allow ? 'allow' : answer === never ? 'never' : 'not_now';
}

function describeQuestion({ server, kind, before, after }: ConsentQuestion, isRemote: boolean) {
  const message =
    before === undefined
      ? `Use the MCP server "${server}"?`
      : `The MCP server "${server}" has changed since you allowed it. Use it?`;
  const does =
    kind === 'stdio'
      ? `It runs on ${isRemote ? 'the machine with your files' : 'this machine'}, with all your rights:`
      : 'Its address:';
  const shown = before === undefined || before === after ? after : unifiedDiff(`${before}\n`, `${after}\n`).text;
  const parts = [
    does,
    visibleText(shown, 'code'),
    ...(before !== undefined && before === after ? ['Only values of variables or headers have changed.'] : []),
    'Each call of its tools asks, unless a rule allows it. You are asked again when this changes.',
  ];
  return { message, detail: parts.join('\n\n') };
}
