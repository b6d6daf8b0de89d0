import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { prompt, view } from './support/sessions';
import { useWebview } from './support/useWebview';

describe('the name of a hidden character', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('is drawn whole or not at all where a line is cut', async () => {
    const panel = await webview.open();
    const evil = (at: number): string => `${'word '.repeat(at)}o\u202Ek\u200B \u{E0041} and more\u2066`;
    const stored = [0, 1, 2, 3].map((at) => ({
      ...{ id: `s${at}`, title: evil(at), updatedMs: 0, isRunning: false, isForeign: false, hasFailed: false },
      piece: { before: evil(at), found: 'o\u202Ek', after: evil(at) },
    }));
    const command = { id: 'c', command: evil(2), lastLine: evil(3), startedMs: 0 };
    const models = [{ id: evil(1), contextWindow: 1000 }];
    const parts = { sessions: stored, sessionCount: 4, models, selectedModel: evil(1), commands: [command] };
    await panel.snapshot(view([prompt('Hi')], { title: evil(2) }), parts);
    await panel.page.evaluate(() =>
      document.documentElement.style.setProperty('--vscode-inputValidation-warningBorder', '#00ff00'),
    );
    const painter = await panel.page.context().newPage();
    /** How many edges of boxes are drawn in the middle of the element. */
    const edges = async (element: Locator): Promise<number> =>
      painter.evaluate(
        async (png) => {
          const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
          const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const { width, height } = picture;
          const canvas = new OffscreenCanvas(width, height).getContext('2d')!;
          canvas.drawImage(picture, 0, 0);
          const { data } = canvas.getImageData(0, Math.floor(height / 2), width, 1);
          const isEdge = Array.from({ length: width }, (_, at) => {
            const [red = 0, green = 0, blue = 0] = data.slice(4 * at, 4 * at + 3);
            return red < 99 && green > 200 && blue < 99;
          });
          return isEdge.filter((is, at) => is && !isEdge[at - 1]).length;
        },
        (await element.screenshot()).toString('base64'),
      );
    const cut: string[] = [];
    let most = 0;
    const look = async (selector: string): Promise<void> => {
      for (let width = 250; width < 420; width += 23) {
        await panel.page.setViewportSize({ width, height: 600 });
        for (const element of await panel.page.locator(selector).all()) {
          const count = await edges(element);
          most = Math.max(most, count);
          if (count % 2 === 1) cut.push(`${width} ${(await element.innerText()).slice(0, 20)}`);
        }
      }
    };
    await look('.session-title, .model-picker .dropdown-label, .running-command, .running-line');
    await panel.page.getByRole('button', { name: 'Past Sessions' }).click();
    await look('.session-row .session-title, .session-piece');
    assert.deepEqual(cut, []);
    assert.ok(most >= 4);
  });
});
