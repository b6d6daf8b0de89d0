import type { Locator } from 'playwright-core';
import type { WebviewPage } from './webviewPage';

/** Opens the answers behind the chevron of the first question. Resolves with the named one. */
export async function moreAnswer({ page, say }: WebviewPage, name: string): Promise<Locator> {
  await page
    .getByRole('button', { name: say('More Answers') })
    .first()
    .click();
  return page.getByRole('menuitem', { name });
}

/** Stops the clock by which the page tells how long a question is on screen. Returns a function that moves it on. */
export async function stopClock({ page }: WebviewPage): Promise<(milliseconds: number) => Promise<void>> {
  await page.evaluate(() => {
    let now = 0;
    performance.now = () => now;
    window.addEventListener('test-clock', (event) => (now += (event as CustomEvent<number>).detail));
  });
  return (milliseconds) =>
    page.evaluate((detail) => void window.dispatchEvent(new CustomEvent('test-clock', { detail })), milliseconds);
}
