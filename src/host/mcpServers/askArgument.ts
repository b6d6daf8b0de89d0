import * as vscode from 'vscode';
import type { ArgumentQuestion } from '../../agent/mcp/prepareText';
import { visibleText } from '../../util/text/visibleText';

/** Asks for one argument of a server's prompt. Empty: no value. `undefined`: the person cancelled. */
export async function askArgument({
  server,
  prompt,
  name,
  description,
  isRequired,
}: ArgumentQuestion): Promise<string | undefined> {
  const what = visibleText(name, 'path').slice(0, 100);
  const said = visibleText(description, 'path').slice(0, 300);
  return vscode.window.showInputBox({
    title: `/${server}:${visibleText(prompt, 'path').slice(0, 100)}`,
    prompt: `${isRequired ? what : vscode.l10n.t('{0} (may be left empty)', what)}${said === '' ? '' : `: ${said}`}`,
    ignoreFocusOut: true,
    validateInput: (value) => (isRequired && value.trim() === '' ? vscode.l10n.t('{0} is needed.', what) : undefined),
  });
}
