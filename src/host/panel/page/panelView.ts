import type * as vscode from 'vscode';
import { showPanelPage, type PanelPageParts } from './panelPage';

/**
 * Shows the panel in the side bar. The host keeps the state, so hiding or moving the view loses nothing. The first view
 * loads the host.
 */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly viewId = 'openAgent.chat';
  readonly #parts: PanelPageParts;

  constructor(parts: PanelPageParts) {
    this.#parts = parts;
  }

  /** Called when the view is first shown, and again after a move, which disposes the old webview. */
  resolveWebviewView(view: vscode.WebviewView): void {
    showPanelPage(
      {
        webview: view.webview,
        isVisible: () => view.visible,
        onVisibleChanged: (listener) => view.onDidChangeVisibility(listener),
        onClosed: (listener) => view.onDidDispose(listener),
        showBadge: (badge) => (view.badge = badge),
        // The page shows it.
        showTitle: () => {},
      },
      this.#parts,
    );
  }
}
