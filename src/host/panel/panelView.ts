import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ToWebview } from '../../protocol/messages';
import { failedPanelHtml, panelHtml } from './panelHtml';

/** The panel's end of the line, for as long as the webview exists. */
export interface PanelPort {
  /** Delivers to the webview; a hidden one hears nothing and asks for a snapshot when it is shown again. */
  post(message: ToWebview): void;
}

/** Whoever owns the panel's state. */
export interface PanelHost {
  /** A webview exists now. It is silent until its first message, which is `ready`. */
  attach(port: PanelPort): void;
  detach(port: PanelPort): void;
  /** What came up, unparsed. */
  receive(port: PanelPort, message: unknown): void;
  /** False while the webview is hidden: its document is gone and comes back with `ready`. */
  setVisible(port: PanelPort, isVisible: boolean): void;
}

/**
 * Shows the panel: a document, and a line to its host. The state is the host's, so that hiding and moving the view lose
 * nothing. The host is loaded when the view is first shown; messages until then wait for it.
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

  /** Called when the view is first shown, and again after it was moved: then the old webview has been disposed. */
  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    const folder = vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview');
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [folder] };

    const port: PanelPort = {
      post: (message) => void webview.postMessage(message).then(undefined, this.#onError),
    };
    // One promise for all callbacks, so that they reach the host in the order they happened.
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
    // Without a host nobody answers the page: say so, instead of showing nothing.
    host.catch(() => (webview.html = failedPanelHtml()));
  }
}
