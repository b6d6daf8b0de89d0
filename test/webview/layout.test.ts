import assert from 'node:assert/strict';
import { accessibilityProblems } from './support/accessibility';
import { lowContrast, overflowing } from './support/measure';
import { scenes } from './support/scenes';
import { answer, busySession, prompt, view } from './support/sessions';
import { useWebview } from './support/useWebview';
import { panelThemes } from './support/webviewPage';

/** In CSS pixels: the narrowest side bar, VS Code's usual one, a wide one, and half of a large screen. */
const widths = [260, 300, 480, 900];

describe('the look of the panel', function () {
  this.timeout(120_000);
  const webview = useWebview();

  for (const { name, session, panel: state, height = 800, act } of scenes) {
    it(`holds in all themes and widths: ${name}`, async () => {
      const panel = await webview.open({ width: 300, height });
      await panel.snapshot(session, state);
      await act?.(panel);
      const problems: string[] = [];
      const add = (where: string, found: readonly string[]) =>
        problems.push(...found.map((problem) => `${where}: ${problem}`));
      for (const width of widths) {
        await panel.page.setViewportSize({ width, height });
        add(`${width} pixels`, [...(await overflowing(panel.page)), ...(await accessibilityProblems(panel.page))]);
        await panel.statePicture(`${name}-dark-${width}`);
      }
      for (const theme of panelThemes) {
        await panel.setTheme(theme);
        await panel.page.setViewportSize({ width: 300, height });
        add(theme, [...(await lowContrast(panel.page)), ...(await accessibilityProblems(panel.page))]);
        if (theme !== 'dark') await panel.statePicture(`${name}-${theme}-300`);
      }
      assert.deepEqual(problems, []);
    });
  }

  it('keeps the buttons of a message in sight at the upper edge of the list', async () => {
    const panel = await webview.open({ width: 300, height: 400 });
    const items = Array.from({ length: 6 }, (_, number) => [
      prompt(`Question ${number}\n`.repeat(8)),
      answer(`Answer ${number}`),
    ]);
    await panel.snapshot(view(items.flat()));
    const list = panel.page.locator('.message-scroller');
    const message = panel.page.getByRole('group', { name: 'You' }).filter({ hasText: 'Question 3' });
    await message.hover();
    for (const past of [-12, 0, 40]) {
      const edge = (await list.boundingBox())!.y;
      const { y } = (await message.boundingBox())!;
      await list.evaluate((element, by) => (element.scrollTop += by), y - edge + past);
      await panel.page.waitForFunction(
        (wanted) =>
          Math.abs(
            [...document.querySelectorAll('.prompt')]
              .find((one) => one.textContent?.includes('Question 3'))!
              .getBoundingClientRect().y - wanted,
          ) < 1,
        edge - past,
      );
      const buttons = (await message.locator('.prompt-actions').boundingBox())!;
      assert.ok(buttons.y >= edge, `${past} pixels past the edge, the buttons begin at ${buttons.y - edge}`);
      assert.equal(buttons.height, 26);
    }
  });

  it('leaves room for the conversation in a low panel', async () => {
    const panel = await webview.open({ width: 300, height: 360 });
    await panel.snapshot(busySession, { isTrusted: false });
    const box = await panel.page.locator('.message-scroller').boundingBox();
    assert.ok((box?.height ?? 0) > 60, `${box?.height} pixels are left for the conversation`);
  });
});
