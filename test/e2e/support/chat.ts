import type { FrameLocator, Locator } from 'playwright-core';
import { isConversationDrawn } from '../../support/window/drawnConversation';
import { sendPrompt } from '../../support/window/sendPrompt';
import type { Workbench } from '../../support/window/workbench';

/** The chat panel as a person sees and uses it. Call `show` first. */
export class Chat {
  readonly #workbench: () => Workbench;

  constructor(workbench: () => Workbench) {
    this.#workbench = workbench;
  }

  get frame(): FrameLocator {
    return this.#workbench().panel();
  }

  get composer(): Locator {
    return this.frame.getByLabel('Message to Open Agent');
  }

  get title(): Locator {
    return this.frame.locator('.session-title');
  }

  /** The text parts of the answers in the session on screen. */
  get answers(): Locator {
    return this.frame.locator('.answer');
  }

  get prompts(): Locator {
    return this.frame.locator('.prompt-text');
  }

  get notices(): Locator {
    return this.frame.locator('.notice');
  }

  /** The current activity; hidden while the agent is idle. */
  get activity(): Locator {
    return this.frame.locator('.activity-text');
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  async show(): Promise<void> {
    await this.#workbench().showChat();
  }

  /** Waits until the panel uses this model. Its server must have answered by then. */
  async untilModel(model: string): Promise<void> {
    await this.button(`Model: ${model}`).waitFor();
  }

  /** Types a prompt and sends it with Enter. Resolves when the conversation has it. */
  async send(text: string): Promise<void> {
    const before = await this.#countRows();
    await sendPrompt(this.#workbench(), this.composer, text);
    const prompt = this.prompts.getByText(text, { exact: true }).last();
    // A long answer may have moved the prompt out of the rows that are on the page.
    const isThere = async (): Promise<boolean> => (await prompt.isVisible()) || (await this.#countRows()) > before;
    await this.#workbench().until(`the conversation has the prompt "${text}"`, isThere);
  }

  /** All rows of the conversation, also those that are not on the page. */
  #countRows(): Promise<number> {
    const rows = this.frame.locator('.message-scroller [aria-setsize]');
    return rows.evaluateAll((all) => Math.max(0, ...all.map((row) => Number(row.getAttribute('aria-setsize')))));
  }

  async #untilDrawn(): Promise<void> {
    const page = this.frame.locator('body');
    await this.#workbench().until(
      'the conversation is drawn',
      async () => (await page.evaluate(isConversationDrawn)) === true,
    );
  }

  async untilIdle(): Promise<void> {
    await this.activity.waitFor({ state: 'hidden' });
  }

  /** Starts an empty session and waits until it is on screen. */
  async startSession(): Promise<void> {
    await this.button('New Session').click();
    await this.title.filter({ hasText: 'New session' }).waitFor();
    await this.frame.locator('.empty').waitFor();
  }

  /** The texts of the prompts on screen. */
  async promptTexts(): Promise<readonly string[]> {
    await this.#untilDrawn();
    return this.prompts.allInnerTexts();
  }

  /** The texts of the answers, as rendered on screen. */
  async answerTexts(): Promise<readonly string[]> {
    await this.#untilDrawn();
    // An answer shows as plain text until the Markdown renderer is loaded.
    await this.frame.locator('.markdown-plain').first().waitFor({ state: 'detached' });
    return this.answers.allInnerTexts();
  }

  async newestAnswer(): Promise<string> {
    return (await this.answerTexts()).at(-1) ?? '';
  }
}
