import assert from 'node:assert/strict';
import { WebviewBrowser, type WebviewPage, type WebviewPageOptions } from './webviewPage';

/**
 * A browser for the tests of the surrounding `describe`. Pages are closed after each test, which fails if anything went
 * wrong in them.
 */
export function useWebview(): { open(options?: WebviewPageOptions): Promise<WebviewPage> } {
  let browser: WebviewBrowser | undefined;
  const pages: WebviewPage[] = [];

  before(async function () {
    // A first run may have to install Chromium and build the panel.
    this.timeout(300_000);
    browser = await WebviewBrowser.start();
  });

  afterEach(async () => {
    const opened = pages.splice(0);
    const problems = opened.flatMap((page) => page.problems);
    await Promise.all(opened.map((page) => page.close()));
    assert.deepEqual(problems, []);
  });

  after(() => browser?.dispose());

  return {
    async open(options) {
      if (browser === undefined) throw new Error('The browser starts before the first test.');
      const page = await browser.open(options);
      pages.push(page);
      return page;
    },
  };
}
