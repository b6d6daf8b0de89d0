import * as vscode from 'vscode';
import type { PartToEdit } from '../../agent/prompts/editPart';
import { linesOf } from '../../workspace/edits/lineEnds';
import { replaceLines, type LinesToReplace } from '../../workspace/edits/replaceLines';
import { guardPath } from '../../workspace/paths/guardPath';
import { isReadingProtected, protectionOf } from '../../workspace/paths/protectedPaths';
import type { EditPlan } from '../../workspace/plans';
import { readForEdit } from '../../workspace/tools/edits/readForEdit';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { withinTime } from '../../util/async/withinTime';
import { displayPathOf } from '../workspace/displayPathOf';
import { problemsOfLines, selectedLines } from '../workspace/selectedLines';

/** Lines of a file that the person wants to have changed. */
export interface PlaceToEdit {
  readonly part: PartToEdit;
  /** The edit that puts `written` in the place of the lines. Where the model still writes, the old lines below stay. */
  readonly planOf: (written: string, isGrowing: boolean) => EditPlan;
  /** A diff of the file is fast enough to be drawn while the model writes. */
  readonly canGrow: boolean;
}

/** Of a function around the cursor, which is meant where nothing is selected. */
const MAX_LINES_OF_SYMBOL = 120;
const LINES_AROUND = 40;
const MAX_CHARACTERS_AROUND = 4_000;
/** A small model writes all of it again. */
const MAX_CHARACTERS = 16_000;
const MAX_GROWING_CHARACTERS = 300_000;
const SYMBOLS_MS = 1_500;

/**
 * The place in the editor: the selected lines, or the function around the cursor, or its line. A text says why there is
 * none. Nothing of a protected file is read.
 */
export async function placeToEdit(editor: vscode.TextEditor, access: WorkspaceAccess): Promise<PlaceToEdit | string> {
  const { document, selection } = editor;
  if (document.isUntitled) return vscode.l10n.t('Save the file first. Open Agent edits files of this workspace.');
  const name = displayPathOf(document.uri);
  const guarded = await guardPath(name, { roots: access.roots(), fileSystem: access.ports.fileSystem });
  if (!guarded.ok) return guarded.error;
  const target = guarded.path;
  if (protectionOf(target) === 1)
    return vscode.l10n.t('{0} is a protected file. Change it yourself.', target.displayPath);
  if (isReadingProtected(target)) {
    return vscode.l10n.t(
      '{0} may hold secrets, so it is not sent to the model. Change it yourself.',
      target.displayPath,
    );
  }
  const lines = await meantLines(document, selection);
  const textOfLines = (first: number, last: number): string =>
    first > last ? '' : linesOf(document.getText(new vscode.Range(first, 0, last + 1, 0))).join('\n');
  const text = textOfLines(lines.start, lines.end);
  if (text.length > MAX_CHARACTERS) {
    return vscode.l10n.t(
      'The selection has {0} characters. Select at most {1}, or ask in the chat.',
      text.length,
      MAX_CHARACTERS,
    );
  }
  let current: string | undefined;
  let isNotebook = false;
  const read = await readForEdit(target, access, async ({ open }) => {
    const opened = await open();
    if (!opened.ok) return opened;
    current = opened.text;
    isNotebook = opened.isNotebook === true;
    return { ok: true, plan: { kind: 'edit', operation: 'edit', target, before: '', after: '', proposed: '' } };
  });
  if (!read.ok) return read.error;
  if (isNotebook)
    return vscode.l10n.t('{0} is a notebook. Ask for changes of its cells in the chat.', target.displayPath);
  const before = current;
  if (before === undefined) return vscode.l10n.t('{0} could not be read.', target.displayPath);
  if (
    linesOf(before)
      .slice(lines.start, lines.end + 1)
      .join('\n') !== text
  ) {
    return vscode.l10n.t('{0} has changed on disk. Save the editor or revert it first.', target.displayPath);
  }
  const above = textOfLines(Math.max(0, lines.start - LINES_AROUND), lines.start - 1);
  const below = textOfLines(lines.end + 1, Math.min(document.lineCount - 1, lines.end + LINES_AROUND));
  return {
    part: {
      displayPath: target.displayPath,
      languageId: document.languageId,
      startLine: lines.start + 1,
      endLine: lines.end + 1,
      text,
      above: lastOf(above, MAX_CHARACTERS_AROUND),
      below: firstOf(below, MAX_CHARACTERS_AROUND),
      problems: problemsOfLines(document, lines),
    },
    canGrow: before.length <= MAX_GROWING_CHARACTERS,
    planOf(written, isGrowing) {
      const after = replaceLines(before, lines, written, { keepsRest: isGrowing });
      return { kind: 'edit', operation: 'edit', target, before, after, proposed: after };
    },
  };
}

async function meantLines(document: vscode.TextDocument, selection: vscode.Selection): Promise<LinesToReplace> {
  const { active } = selection;
  if (!selection.isEmpty) return selectedLines(selection);
  if (document.lineAt(active.line).isEmptyOrWhitespace) return { start: active.line, end: active.line };
  const found = vscode.commands.executeCommand<readonly object[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  // A language server that is still starting would make the person wait.
  const symbols = await withinTime(Promise.resolve(found), SYMBOLS_MS);
  const around = symbolsAround(symbols ?? [], active).filter(
    ({ range }) => range.end.line - range.start.line < MAX_LINES_OF_SYMBOL,
  );
  const symbol = around.find(({ kind }) => callables.has(kind));
  return symbol
    ? { start: symbol.range.start.line, end: symbol.range.end.line }
    : { start: active.line, end: active.line };
}

const callables: ReadonlySet<vscode.SymbolKind> = new Set([
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
]);

/** The outermost first. Language servers of an older protocol give symbols without children, which are left out. */
function symbolsAround(symbols: readonly object[], position: vscode.Position): readonly vscode.DocumentSymbol[] {
  return symbols.flatMap((symbol) => {
    const { range, children } = symbol as Partial<vscode.DocumentSymbol>;
    if (!range?.contains(position)) return [];
    return [symbol as vscode.DocumentSymbol, ...symbolsAround(children ?? [], position)];
  });
}

function lastOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(text.indexOf('\n', text.length - max) + 1);
}

function firstOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, Math.max(0, text.lastIndexOf('\n', max)));
}
