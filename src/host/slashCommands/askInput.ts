import * as vscode from 'vscode';
import type { InputQuestion } from '../../agent/customization/expandCommand';
import { visibleText } from '../../util/text/visibleText';

/** Asks for one value of a prompt file. `undefined`: the person cancelled. */
export async function askInput({ prompt, name, hint }: InputQuestion): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: `/${visibleText(prompt, 'path')}`,
    prompt: vscode.l10n.t('The prompt asks for {0}. Enter goes on, Escape sends nothing.', visibleText(name, 'path')),
    placeHolder: visibleText(hint, 'path'),
    ignoreFocusOut: true,
  });
}
