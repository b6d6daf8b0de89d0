import * as vscode from 'vscode';
import { visibleText } from '../../../util/text/visibleText';
import { chatTabType } from './chatTabType';
import { showPanelPage, type PanelHost } from './panelPage';
import type { PanelController } from '../panelController';
import type { Panels } from '../panels';

export interface ChatTabsParts {
  readonly extensionUri: vscode.Uri;
  readonly panels: Panels;
  readonly onError: (error: unknown) => void;
}

const MAX_TITLE = 60;
const noTitle = 'Open Agent';

/** Opens chats in tabs of the editors, and those of the last window again. */
export class ChatTabs implements vscode.WebviewPanelSerializer {
  readonly #parts: ChatTabsParts;

  constructor(parts: ChatTabsParts) {
    this.#parts = parts;
  }

  /** `sessionId`: the session to show; absent: a new one. */
  async open(sessionId: string | undefined): Promise<void> {
    const tab = vscode.window.createWebviewPanel(chatTabType, noTitle, vscode.ViewColumn.Active);
    const panel = await this.#show(tab, crypto.randomUUID(), sessionId);
    panel.focusComposer();
  }

  /** VS Code brings a tab of the last window back. `state`: as the page left it. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { tab: id } = (state ?? {}) as { readonly tab?: unknown };
    await this.#show(tab, typeof id === 'string' ? id : crypto.randomUUID(), undefined);
  }

  #show(tab: vscode.WebviewPanel, id: string, sessionId: string | undefined): Promise<PanelController> {
    const { extensionUri, panels, onError } = this.#parts;
    tab.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
    const opening = panels.openTab(id, async () => tab.reveal(), sessionId);
    const use = (): void => {
      if (tab.active) void opening.then((panel) => panels.used(panel), onError);
    };
    showPanelPage(
      {
        webview: tab.webview,
        tabId: id,
        isVisible: () => tab.visible,
        onVisibleChanged: (listener) =>
          tab.onDidChangeViewState(() => {
            listener();
            use();
          }),
        onClosed: (listener) =>
          tab.onDidDispose(() => {
            listener();
            // After the messages that the page has sent before: they take a turn as well.
            opening
              .catch(() => {})
              .then(() => panels.closeTab(id))
              .catch(onError);
          }),
        // The view in the side bar shows it.
        showBadge: () => {},
        showTitle(title) {
          const shown = visibleText(title, 'path');
          tab.title = shown === '' ? noTitle : shown.length > MAX_TITLE ? `${shown.slice(0, MAX_TITLE)}…` : shown;
        },
      },
      { extensionUri, host: (): Promise<PanelHost> => opening, onError },
    );
    use();
    return opening;
  }
}
