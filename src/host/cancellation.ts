import * as vscode from 'vscode';

/** A token of VS Code that is cancelled when `signal` is aborted. The caller disposes it. */
export function cancellationOf(signal: AbortSignal): vscode.CancellationTokenSource {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const { token } = source;
  return {
    token,
    cancel: () => source.cancel(),
    dispose() {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}

/** A signal that is aborted when VS Code cancels. The caller disposes it. */
export function signalOf(token: vscode.CancellationToken): {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
} {
  const abort = new AbortController();
  if (token.isCancellationRequested) abort.abort();
  const subscription = token.onCancellationRequested(() => abort.abort());
  return { signal: abort.signal, dispose: () => void subscription.dispose() };
}
