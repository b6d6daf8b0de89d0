import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable';

/** The entry in the status bar of the laptop: which servers the remote uses, and how often it did. A click revokes. */
export class UseIndicator implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #counts = new Map<string, number>();

  constructor(command: string) {
    this.#item = vscode.window.createStatusBarItem('use', vscode.StatusBarAlignment.Right, 90);
    this.#item.name = 'Open Agent Bridge';
    this.#item.command = command;
  }

  /** The servers that were used in this window and may be used again. */
  get origins(): readonly string[] {
    return [...this.#counts.keys()];
  }

  noteRequest(origin: string): void {
    this.#counts.set(origin, (this.#counts.get(origin) ?? 0) + 1);
  }

  forget(origin: string): void {
    this.#counts.delete(origin);
  }

  /** `openCount`: the requests that are open now. */
  show(openCount: number, remote: string): void {
    const [first, ...others] = [...this.#counts];
    if (!first) return this.#item.hide();
    const [origin] = first;
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const host = origin.replace(/^https?:\/\//, '');
    const shown = others.length === 0 ? host : vscode.l10n.t('{0} and {1} more', host, others.length);
    this.#item.text = `$(${openCount > 0 ? 'sync~spin' : 'plug'}) ${shown}: ${total}`;
    const lines = [...this.#counts].map(([server, count]) =>
      count === 1 ? vscode.l10n.t('{0}: 1 request', server) : vscode.l10n.t('{0}: {1} requests', server, count),
    );
    this.#item.tooltip = [
      vscode.l10n.t('{0} uses model servers of your laptop.', remote),
      ...lines,
      vscode.l10n.t('Click to take this back.'),
    ].join('\n');
    this.#item.accessibilityInformation = {
      label:
        total === 1
          ? vscode.l10n.t('{0} uses {1} of your laptop, 1 request. Press to take this back.', remote, shown)
          : vscode.l10n.t('{0} uses {1} of your laptop, {2} requests. Press to take this back.', remote, shown, total),
      role: 'button',
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
