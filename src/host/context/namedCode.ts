import * as vscode from 'vscode';
import type { NamedContext } from '../../protocol/toWebview';
import { mentionOf } from '../../agent/view/prompt/mentionText';
import { delay } from '../../util/async/delay';
import { withinTime } from '../../util/async/withinTime';
import { holdsSecrets } from '../../workspace/paths/protectedPaths';
import { displayPathOf } from '../workspace/displayPathOf';
import { changesToName } from './changesSource';

/** A person who types asks with each letter. Language servers and git are asked about the last one. */
const QUIET_MS = 150;
const ANSWER_MS = 5_000;
const MAX_SYMBOLS = 8;
const MAX_CHANGES = 20;
/** Each may be read by its language server. */
const MAX_LOOKED_INTO = 3;
const IS_SYMBOL = /^[\p{L}\p{N}_$][\p{L}\p{N}_$.#]+$/u;
const IGNORED = /(?:^|\/)(?:node_modules|\.git)\//;

/** Suggests symbols of the workspace, and after `changes:` branches and commits. Later questions end earlier ones. */
export function createNamedCode(): (typed: string) => Promise<readonly NamedContext[]> {
  let newest = 0;
  return async (typed) => {
    newest += 1;
    const own = newest;
    if (typed.startsWith('changes:')) return changes(typed);
    if (!IS_SYMBOL.test(typed)) return [];
    await delay(QUIET_MS);
    return own === newest ? symbols(typed, () => own === newest) : [];
  };
}

async function changes(typed: string): Promise<readonly NamedContext[]> {
  const wanted = typed.toLowerCase();
  // Without git nothing is suggested. The chip says why it cannot be sent.
  const found = await changesToName().catch(() => []);
  return found
    .filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(wanted.slice('changes:'.length)))
    .slice(0, MAX_CHANGES)
    .flatMap(({ name, detail }) => (/[\s"]/.test(name) ? [] : [{ written: `@${name}`, label: name, detail }]));
}

async function symbols(typed: string, isWanted: () => boolean): Promise<readonly NamedContext[]> {
  const found = (await ask<readonly vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', typed)) ?? [];
  const named = found
    .filter(({ name, location: { uri } }) => {
      if (!name.toLowerCase().includes(typed.toLowerCase())) return false;
      if (vscode.workspace.getWorkspaceFolder(uri) === undefined) return false;
      return !holdsSecrets(displayPathOf(uri)) && !IGNORED.test(uri.path);
    })
    .toSorted((a, b) => rankOf(a.name, typed) - rankOf(b.name, typed) || a.name.length - b.name.length)
    .slice(0, MAX_SYMBOLS);
  const outlines = new Map<string, readonly vscode.DocumentSymbol[]>();
  const suggestions = new Map<string, NamedContext>();
  for (const { name, kind, location } of named) {
    if (!isWanted()) return [];
    const { start, end } = await wholeRange(location, outlines);
    const displayPath = displayPathOf(location.uri);
    const written = mentionOf(displayPath, { start: start.line + 1, end: end.line + 1 });
    const detail = vscode.l10n.t(
      '{0} in {1}:{2}',
      (vscode.SymbolKind[kind] ?? '').toLowerCase(),
      displayPath,
      start.line + 1,
    );
    if (written !== undefined && !suggestions.has(written)) suggestions.set(written, { written, label: name, detail });
  }
  return [...suggestions.values()];
}

function rankOf(name: string, typed: string): number {
  if (name === typed) return 0;
  return name.toLowerCase().startsWith(typed.toLowerCase()) ? 1 : 2;
}

/** Some language servers give only the line of the name. The outline of the file has the whole declaration. */
async function wholeRange(
  { uri, range }: vscode.Location,
  outlines: Map<string, readonly vscode.DocumentSymbol[]>,
): Promise<vscode.Range> {
  if (!range.isSingleLine) return range;
  const key = uri.toString();
  if (!outlines.has(key)) {
    if (outlines.size >= MAX_LOOKED_INTO) return range;
    const found = await ask<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    outlines.set(
      key,
      (found ?? []).flatMap((symbol) => ('children' in symbol ? [symbol] : [])),
    );
  }
  return declarationAt(outlines.get(key) ?? [], range.start) ?? range;
}

function declarationAt(outline: readonly vscode.DocumentSymbol[], at: vscode.Position): vscode.Range | undefined {
  for (const { range, selectionRange, children } of outline) {
    if (!range.contains(at)) continue;
    return declarationAt(children, at) ?? (selectionRange.start.line === at.line ? range : undefined);
  }
  return undefined;
}

/** `undefined`: no answer in time, or an error of the extension. */
async function ask<T>(command: string, ...args: readonly unknown[]): Promise<T | undefined> {
  const answer = Promise.resolve(vscode.commands.executeCommand<T | undefined>(command, ...args)).catch(
    () => undefined,
  );
  return withinTime(answer, ANSWER_MS);
}
