import * as vscode from 'vscode';
import { fixTestFailurePrompt, testFailureContext, type TestFailure } from '../../../agent/prompts/testFailure';
import type { PanelController } from '../../panel/panelController';
import { displayPathOf } from '../../workspace/displayPathOf';
import { isTrustedToFix } from '../isTrustedToFix';

/** Names of more groups say little. */
const MAX_GROUPS = 8;

/** Sends a failed test with its message. `given`: what VS Code gives to the menu `testing/message/context`. */
export async function fixTestFailure(panel: PanelController, given: unknown): Promise<void> {
  const failure = readFailure(given);
  if (!failure) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Use this from the menu of a message in the Test Results.'),
    );
    return;
  }
  if (!(await isTrustedToFix(vscode.l10n.t('Explain Selection')))) return;
  await panel.reveal();
  await panel.submit({ text: fixTestFailurePrompt(failure), context: [testFailureContext(failure)] });
}

/** Another extension made the test and its message. */
function readFailure(given: unknown): TestFailure | undefined {
  const { test, message } = (given ?? {}) as {
    readonly test?: Partial<vscode.TestItem>;
    readonly message?: Partial<vscode.TestMessage>;
  };
  const text = textOf(message?.message);
  if (text === undefined) return undefined;
  const { location } = message ?? {};
  return {
    message: text,
    name: test && nameOf(test),
    expected: textOf(message?.expectedOutput),
    actual: textOf(message?.actualOutput),
    test: placeOf(test?.uri, test?.range),
    failedAt: placeOf(location?.uri, location?.range),
  };
}

function textOf(message: unknown): string | undefined {
  const text = typeof message === 'object' && message !== null && 'value' in message ? message.value : message;
  return typeof text === 'string' ? text : undefined;
}

function nameOf(test: Partial<vscode.TestItem>): string | undefined {
  const names: string[] = [];
  let item: Partial<vscode.TestItem> | undefined = test;
  while (item && names.length < MAX_GROUPS) {
    if (typeof item.label === 'string') names.unshift(item.label);
    item = item.parent;
  }
  return names.length === 0 ? undefined : names.join(' > ');
}

function placeOf(uri: unknown, range: vscode.Range | undefined): TestFailure['test'] {
  if (!(uri instanceof vscode.Uri)) return undefined;
  return { displayPath: displayPathOf(uri), ...(range && { line: range.start.line + 1 }) };
}
