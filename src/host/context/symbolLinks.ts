import * as vscode from 'vscode';
import type { DisposableStore } from '../../util/disposable';
import { TurnQueue } from '../../util/async/turnQueue';
import type { CodeNavigation } from '../../workspace/codeNavigation';
import type { PlaceFinding } from '../../workspace/paths/findPlaces';
import { findSymbolPlace, isSymbolName, type FoundSymbol } from '../../workspace/tools/navigation/symbolPlaces';

export interface SymbolLinksParts {
  /** Absent: no symbol is found. */
  readonly navigation: CodeNavigation | undefined;
  readonly finding: () => PlaceFinding;
  readonly isTrusted: () => boolean;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
}

/** The names of one question, and of all that are known. */
const MAX_ASKED = 30;
const MAX_KNOWN = 1_000;
/** Questions that wait. Later ones get no answer. */
const MAX_WAITING = 10;
/** All names of a question together. */
const ANSWER_MS = 5_000;

/**
 * Finds the symbols that answers name. Asks the language servers about one name after another, and about none twice until
 * a file changes. Never rejects.
 */
export function createSymbolLinks(
  parts: SymbolLinksParts,
): (names: readonly string[]) => Promise<readonly FoundSymbol[]> {
  const { navigation, finding, isTrusted, owned } = parts;
  /** `null`: there is no such symbol, or several. */
  const known = new Map<string, FoundSymbol | null>();
  const forget = (): void => known.clear();
  const { workspace } = vscode;
  for (const onChange of [workspace.onDidSaveTextDocument, workspace.onDidDeleteFiles, workspace.onDidRenameFiles])
    owned.add((onChange as vscode.Event<unknown>)(forget));
  const turns = new TurnQueue();
  let waiting = 0;

  const lookUp = async (names: readonly string[]): Promise<void> => {
    if (!navigation || !(await navigation.isReady())) return;
    const signal = AbortSignal.timeout(ANSWER_MS);
    for (const name of names) {
      if (signal.aborted) return;
      if (known.has(name)) continue;
      try {
        const found = await findSymbolPlace(name, { ...finding(), navigation }, { signal });
        if (known.size >= MAX_KNOWN) known.clear();
        known.set(name, found ?? null);
      } catch {
        // A language server failed or is slow. The name is asked for again with a later answer.
        return;
      }
    }
  };

  return async (names) => {
    const wanted = names.filter(isSymbolName).slice(0, MAX_ASKED);
    const isOpen = wanted.some((name) => !known.has(name));
    if (isOpen && isTrusted() && waiting < MAX_WAITING) {
      waiting += 1;
      await turns.run(() => lookUp(wanted)).finally(() => (waiting -= 1));
    }
    return wanted.flatMap((name) => known.get(name) ?? []);
  };
}
