import assert from 'node:assert/strict';
import { useWebview } from './support/useWebview';

describe('the start of the panel', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('asks the host before it draws, so that the host answers meanwhile', async () => {
    const { page } = await webview.open();
    const [first, drawn] = await page.evaluate(() => {
      const { intents, drawnBeforeFirst } = window as unknown as {
        readonly intents: readonly { readonly type: string }[];
        readonly drawnBeforeFirst: number;
      };
      return [intents[0]?.type, drawnBeforeFirst] as const;
    });
    assert.deepEqual([first, drawn], ['ready', 0]);
  });
});
