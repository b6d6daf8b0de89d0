import * as vscode from 'vscode';
import type { Diagnostics, Problem } from '../../workspace/ports';
import { QuietWait, type QuietTimes } from './quietWait';
import { uriOf } from '../workspace/uris';
import type { SetTimer } from '../../util/timer';

/** Language servers answer within these times or not at all. A syntax check comes before a type check. */
const TIMES: QuietTimes = { firstMs: 1_500, quietMs: 300, mostMs: 4_000 };

/**
 * The reports of language servers and linters, from VS Code's own event. They check only open documents, so a closed
 * file is loaded without showing it.
 */
export function createVscodeDiagnostics(schedule: SetTimer): Diagnostics {
  const wait = (uri: vscode.Uri): QuietWait => {
    const address = uri.toString();
    const on = (listener: () => void): vscode.Disposable =>
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((changed) => changed.toString() === address)) listener();
      });
    return new QuietWait(on, TIMES, schedule);
  };

  /** Documents that were loaded here and that nothing has reported about. */
  const unchecked = new Set<string>();

  const watch: Diagnostics['watch'] = async (path, { signal }) => {
    const uri = uriOf(path);
    const first = wait(uri);
    const opened = await open(uri);
    if (opened === 'loaded') await first.settled({ signal });
    const wasChecked = !unchecked.delete(uri.toString()) && opened !== 'loaded';
    const isKnown = wasChecked || first.hasHeard || problemsOf(uri).length > 0;
    first.dispose();
    const before = isKnown ? problemsOf(uri) : undefined;
    const next = wait(uri);
    return {
      before,
      async after({ signal: waitSignal }) {
        // The file may have been created just now.
        if (opened === 'missing' && (await open(uri)) === 'missing') return [];
        await next.settled({ signal: waitSignal });
        return problemsOf(uri);
      },
      dispose: () => next.dispose(),
    };
  };

  return {
    watch,
    async read(path, { signal }) {
      const uri = uriOf(path);
      const reports = wait(uri);
      if ((await open(uri)) === 'loaded') {
        await reports.settled({ signal });
        if (!reports.hasHeard) unchecked.add(uri.toString());
      }
      reports.dispose();
      return problemsOf(uri);
    },
  };
}

/** `missing`: not there, or not text for VS Code. */
async function open(uri: vscode.Uri): Promise<'open' | 'loaded' | 'missing'> {
  const address = uri.toString();
  if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === address)) return 'open';
  return vscode.workspace.openTextDocument(uri).then(
    () => 'loaded' as const,
    () => 'missing' as const,
  );
}

function problemsOf(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).flatMap(({ severity, message, range, source }): Problem[] => {
    // Hints and information are about style.
    if (severity > vscode.DiagnosticSeverity.Warning) return [];
    return [
      {
        line: range.start.line + 1,
        severity: severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
        message,
        ...(source !== undefined && { source }),
      },
    ];
  });
}
