import * as vscode from 'vscode';
import type { HunkState } from '../../agent/view/approvalSummary';
import type { LineRange } from '../../workspace/edits/diff/hunks';
import { requestIdOf } from './proposalUris';

export interface MarkedHunks {
  readonly states: readonly HunkState[];
  readonly places: readonly LineRange[];
}

/**
 * Marks each hunk of a proposal behind its first line: its number and its state. A hover offers to accept or reject it.
 * (Diff editors show no code lenses by default.)
 */
export class HunkMarks {
  readonly #type = vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', color: new vscode.ThemeColor('editorCodeLens.foreground'), fontStyle: 'italic' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  show(editor: vscode.TextEditor, { states, places }: MarkedHunks): void {
    const requestId = requestIdOf(editor.document.uri);
    if (requestId === undefined) return;
    const { document } = editor;
    const marks =
      states.length < 2
        ? []
        : states.map((state, index): vscode.DecorationOptions => {
            const { start, end } = places[index] ?? { start: 0, end: 0 };
            // A hunk that only removes lines is marked on the line above it.
            const line = document.lineAt(
              Math.min(Math.max(end > start ? start : start - 1, 0), document.lineCount - 1),
            );
            return {
              // The whole line, so a hover works anywhere on it.
              range: line.range,
              renderOptions: { after: { contentText: markText(state, index + 1, states.length) } },
              hoverMessage: hover(requestId, index, state),
            };
          });
    editor.setDecorations(this.#type, marks);
  }

  dispose(): void {
    this.#type.dispose();
  }
}

function markText(state: HunkState, number: number, count: number): string {
  switch (state) {
    case 'open':
      return vscode.l10n.t('Change {0} of {1}', number, count);
    case 'accepted':
      return vscode.l10n.t('Change {0} of {1}: accepted', number, count);
    case 'rejected':
      return vscode.l10n.t('Change {0} of {1}: rejected', number, count);
  }
}

function hover(requestId: string, index: number, state: HunkState): vscode.MarkdownString {
  const link = (command: string, words: string): string =>
    `[${words}](command:${command}?${encodeURIComponent(JSON.stringify([requestId, index]))})`;
  const links = [
    ...(state === 'accepted'
      ? []
      : [link(ACCEPT, state === 'rejected' ? vscode.l10n.t('Put back') : vscode.l10n.t('Accept'))]),
    ...(state === 'rejected' ? [] : [link(REJECT, vscode.l10n.t('Reject'))]),
  ];
  const text = new vscode.MarkdownString(vscode.l10n.t('This change: {0}', links.join(' | ')));
  text.isTrusted = { enabledCommands: [ACCEPT, REJECT] };
  return text;
}

const ACCEPT = 'openAgent.acceptHunk';
const REJECT = 'openAgent.rejectHunk';
