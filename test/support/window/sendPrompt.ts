import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench';

/** The time in which a key takes effect, unless it was lost. */
const keyMs = 5_000;

/** Fills the prompt field and sends it with Enter. A key is lost when VS Code moves the focus meanwhile: a second Enter sends nothing twice. */
export async function sendPrompt(workbench: Workbench, composer: Locator, prompt: string): Promise<void> {
  await composer.fill(prompt);
  const isThere = async (): Promise<boolean> => (await composer.inputValue()) === prompt;
  for (let attempt = 0; attempt < 3 && (await isThere()); attempt += 1) {
    await composer.press('Enter');
    const end = performance.now() + keyMs;
    await workbench.until('the prompt is sent, or not', async () => !(await isThere()) || performance.now() > end);
  }
}
