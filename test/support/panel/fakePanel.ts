import type { PanelController } from '../../../src/host/panel/panelController';
import type { PanelBadge, PanelPort } from '../../../src/host/panel/page/panelPage';
import type { FromWebview } from '../../../src/protocol/fromWebview';
import type { ToWebview } from '../../../src/protocol/toWebview';
import { initialState, receive, type WebviewState } from '../../../src/webview/state/webviewState';
import { outline } from '../sessions/sessions';

/** The webview as the host sees it: folds all messages, and asks for a snapshot when one is missing. */
export class FakePanel {
  readonly heard: ToWebview[] = [];
  state: WebviewState = initialState;
  readonly #controller: PanelController;
  readonly #port: PanelPort = {
    post: (message) => {
      // Copied, as on the way to another process.
      const copy = JSON.parse(JSON.stringify(message)) as ToWebview;
      this.heard.push(copy);
      const wasOutOfSync = this.state.isOutOfSync;
      this.state = receive(this.state, copy, 0);
      if (this.state.isOutOfSync && !wasOutOfSync) this.send({ type: 'needSnapshot' });
    },
    showBadge: (badge) => (this.badge = badge),
    showTitle: (title) => (this.title = title),
  };
  badge: PanelBadge | undefined;
  title = '';

  constructor(controller: PanelController) {
    this.#controller = controller;
    controller.attach(this.#port);
  }

  send(intent: FromWebview): void {
    this.sendAnything(intent);
  }

  sendAnything(message: unknown): void {
    this.#controller.receive(this.#port, message);
  }

  hide(): void {
    this.#controller.setVisible(this.#port, false);
  }

  close(): void {
    this.#controller.detach(this.#port);
  }

  get lines(): readonly string[] {
    return this.state.session ? outline(this.state.session) : [];
  }
}
