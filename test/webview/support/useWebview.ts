import assert from 'node:assert/strict';
import { WebviewBrowser, type WebviewPage, type WebviewPageOptions } from './webviewPage';

/** One browser for all files: starting it takes seconds. */
let starting: Promise<WebviewBrowser> | undefined;

after(async () => (await starting)?.dispose());

/** Pages for the tests of the surrounding `describe`. A page closes after its test, which fails if the page had problems. */
export function useWebview(): { open(options?: WebviewPageOptions): Promise<WebviewPage> } {
  let browser: WebviewBrowser | undefined;
  const pages: WebviewPage[] = [];

  before(async function () {
    // A first run may have to install Chromium and build the panel.
    this.timeout(300_000);
    browser = await (starting ??= WebviewBrowser.start());
  });

  afterEach(async () => {
    const opened = pages.splice(0);
    const problems = opened.flatMap((page) => page.problems);
    await Promise.all(opened.map((page) => page.close()));
    assert.deepEqual(problems, []);
  });

  return {
    async open(options) {
      if (browser === undefined) throw new Error('The browser starts before the first test.');
      const page = await browser.open(options);
      pages.push(page);
      return page;
    },
  };
}
