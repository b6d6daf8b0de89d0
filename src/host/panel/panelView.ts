import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ToWebview } from '../../protocol/toWebview';
import { failedPanelHtml, panelHtml } from './panelHtml';

/** Sends to one webview, for as long as it exists. */
export interface PanelPort {
  /** Sends a message. A hidden webview gets none, and asks for a snapshot when shown again. */
  post(message: ToWebview): void;
  /** Shows a number at the view's icon. `undefined` removes it. */
  showBadge(badge: PanelBadge | undefined): void;
}

/** The number of questions that wait, with a text for its hover. */
export interface PanelBadge {
  readonly value: number;
  readonly tooltip: string;
}

/** The owner of the panel's state. */
export interface PanelHost {
  /** A webview exists. Its first message is `ready`. */
  attach(port: PanelPort): void;
  detach(port: PanelPort): void;
  /** Takes a message, still unparsed. */
  receive(port: PanelPort, message: unknown): void;
  /** False: the webview is hidden and its document gone. A new document says `ready`. */
  setVisible(port: PanelPort, isVisible: boolean): void;
}

/**
 * Shows the panel's document and connects it with its host. The host keeps the state, so hiding or moving the view
 * loses nothing. The first view loads the host; messages wait for it.
 */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly viewId = 'openAgent.chat';
  readonly #extensionUri: vscode.Uri;
  readonly #host: () => Promise<PanelHost>;
  readonly #onError: (error: unknown) => void;

  constructor(parts: {
    readonly extensionUri: vscode.Uri;
    readonly host: () => Promise<PanelHost>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#extensionUri = parts.extensionUri;
    this.#host = parts.host;
    this.#onError = parts.onError;
  }

  /** Called when the view is first shown, and again after a move, which disposes the old webview. */
  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    const folder = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [folder] };

    const port: PanelPort = {
      post: (message) => void webview.postMessage(message).then(undefined, this.#onError),
      showBadge: (badge) => (view.badge = badge),
    };
    // One promise for all callbacks keeps them in order.
    const host = this.#host();
    const tell = (act: (host: PanelHost) => void): void => void host.then(act).catch(this.#onError);

    tell((owner) => owner.attach(port));
    webview.onDidReceiveMessage((message: unknown) => tell((owner) => owner.receive(port, message)));
    view.onDidChangeVisibility(() => {
      const isVisible = view.visible;
      tell((owner) => owner.setVisible(port, isVisible));
    });
    view.onDidDispose(() => tell((owner) => owner.detach(port)));

    webview.html = panelHtml({
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.css')).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      language: vscode.env.language,
    });
    // Without a host nothing answers the page, so it says that the start failed.
    host.catch(() => (webview.html = failedPanelHtml()));
  }
}
