import * as vscode from 'vscode';
import type { Disposable } from '../../util/disposable';
import type { PanelBadge } from '../panel/page/panelPage';
import type { AttentionWindow } from './attention';
import type { StatusText } from './statusText';

/** The one status bar item of the extension, the badge of its view, and its notifications. */
export class VscodeAttention implements AttentionWindow, Disposable {
  readonly #showBadge: (badge: PanelBadge | undefined) => void;
  readonly #item: vscode.StatusBarItem;
  #isItemShown = false;

  constructor(parts: { readonly showBadge: (badge: PanelBadge | undefined) => void }) {
    this.#showBadge = parts.showBadge;
    this.#item = vscode.window.createStatusBarItem('openAgent.status', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = 'Open Agent';
    this.#item.command = 'openAgent.quickMenu';
  }

  showStatus(status: StatusText | undefined): void {
    if (status) {
      const { text, tooltip, isWarning } = status;
      // Each assignment goes to the window, so only changes do.
      if (this.#item.text !== text) this.#item.text = text;
      if (this.#item.tooltip !== tooltip) this.#item.tooltip = tooltip;
      if ((this.#item.backgroundColor !== undefined) !== isWarning)
        this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    }
    if (this.#isItemShown === (status !== undefined)) return;
    this.#isItemShown = status !== undefined;
    if (status) this.#item.show();
    else this.#item.hide();
  }

  showBadge(badge: PanelBadge | undefined): void {
    this.#showBadge(badge);
  }

  async notify(message: string): Promise<boolean> {
    return (await vscode.window.showInformationMessage(message, vscode.l10n.t('Show'))) === 'Show';
  }

  dispose(): void {
    this.#item.dispose();
  }
}
