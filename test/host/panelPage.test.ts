import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { showPanelPage, type PanelHost } from '../../src/host/panel/page/panelPage';

describe('The page of the panel', () => {
  it('is on its way before the agent is loaded', async () => {
    const tab = vscode.window.createWebviewPanel('openAgent.test', 'Test', vscode.ViewColumn.Active);
    const { webview } = tab;
    try {
      const host: PanelHost = { attach() {}, detach() {}, receive() {}, setVisible() {} };
      let didShow = false;
      const wasShown = new Promise<boolean>((resolve, reject) => {
        showPanelPage(
          {
            webview,
            isVisible: () => true,
            onVisibleChanged: () => {},
            onClosed: () => {},
            showBadge: () => {},
            showTitle: () => {},
          },
          {
            extensionUri: vscode.Uri.file('/extension'),
            host: async () => {
              resolve(didShow);
              return host;
            },
            onError: reject,
          },
        );
        didShow = webview.html.includes('/dist/webview/main.js');
      });
      assert.equal(await wasShown, true);
    } finally {
      tab.dispose();
    }
  });
});
