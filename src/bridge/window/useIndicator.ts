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
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    this.#item.text = `$(${openCount > 0 ? 'sync~spin' : 'plug'}) ${host}${more}: ${total}`;
    const lines = [...this.#counts].map(
      ([server, count]) => `${server}: ${count} ${count === 1 ? 'request' : 'requests'}`,
    );
    this.#item.tooltip = [`${remote} uses model servers of your laptop.`, ...lines, 'Click to take this back.'].join(
      '\n',
    );
    this.#item.accessibilityInformation = {
      label: `${remote} uses ${host}${more} of your laptop, ${total} ${total === 1 ? 'request' : 'requests'}. Press to take this back.`,
      role: 'button',
    };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
