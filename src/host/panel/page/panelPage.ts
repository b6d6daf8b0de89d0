import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ToWebview } from '../../../protocol/toWebview';
import { failedPanelHtml, panelHtml } from './panelHtml';

/** Sends to one webview, for as long as it exists. */
export interface PanelPort {
  /** Sends a message. A hidden webview gets none, and asks for a snapshot when shown again. */
  post(message: ToWebview): void;
  /** Shows a number at the view's icon. `undefined` removes it. */
  showBadge(badge: PanelBadge | undefined): void;
  /** Shows the name of the session on screen. Empty: it has none. */
  showTitle(title: string): void;
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

/** A view or an editor of VS Code that holds a webview. */
export interface PanelPlace extends Omit<PanelPort, 'post'> {
  readonly webview: vscode.Webview;
  readonly isVisible: () => boolean;
  readonly onVisibleChanged: (listener: () => void) => unknown;
  readonly onClosed: (listener: () => void) => unknown;
  /** The page keeps it in its state. Absent: the place is the only one of its kind. */
  readonly tabId?: string | undefined;
}

export interface PanelPageParts {
  readonly extensionUri: vscode.Uri;
  readonly host: () => Promise<PanelHost>;
  readonly onError: (error: unknown) => void;
}

/** Shows the panel's document in a place and connects it with its host, which may still load: messages wait for it. */
export function showPanelPage(place: PanelPlace, parts: PanelPageParts): void {
  const { webview, tabId } = place;
  const folder = vscode.Uri.joinPath(parts.extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [folder] };

  const port: PanelPort = {
    post: (message) => void webview.postMessage(message).then(undefined, parts.onError),
    showBadge: (badge) => place.showBadge(badge),
    showTitle: (title) => place.showTitle(title),
  };
  webview.html = panelHtml({
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.js')).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, 'main.css')).toString(),
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    language: vscode.env.language,
    translations: vscode.l10n.bundle,
    tabId,
  });
  // Loading the host takes longer than the page needs to start. VS Code sends the document when this thread has time, so the
  // host waits for a moment. One promise for all callbacks keeps them in order.
  const host = new Promise<PanelHost>((resolve) => setTimeout(() => resolve(parts.host())));
  const tell = (act: (host: PanelHost) => void): void => void host.then(act).catch(parts.onError);

  tell((owner) => owner.attach(port));
  webview.onDidReceiveMessage((message: unknown) => tell((owner) => owner.receive(port, message)));
  place.onVisibleChanged(() => {
    const isVisible = place.isVisible();
    tell((owner) => owner.setVisible(port, isVisible));
  });
  place.onClosed(() => tell((owner) => owner.detach(port)));

  // Without a host nothing answers the page, so it says that the start failed.
  host.catch(() => (webview.html = failedPanelHtml(vscode.env.language)));
}
