import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, errors } from 'playwright-core';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { chromiumArguments, requireChromium } from '../../../scripts/chromium';
import { projectRoot } from '../../../scripts/projectRoot';
import { quietSettings } from '../../../scripts/vscode/quietSettings';
import { installServer } from '../../../scripts/vscode/installServer';
import { runServer } from '../../../scripts/vscode/runServer';
import type { RunningServer, WorkbenchTarget } from '../../../scripts/vscode/runServer';
import { createTemporaryFolder } from '../files/temporaryFolder';
import type { TemporaryFolder } from '../files/temporaryFolder';
import { registerWebviewPlaces } from './webviewPlaces';

export interface WorkbenchOptions {
  /** The window opens this folder or `.code-workspace` file. */
  readonly folder: string;
  /** The development folder of the extension. Default: this repository. Null: none, as for an installed VSIX. */
  readonly extensionDevelopmentPath?: string | null | undefined;
  /** A folder of installed extensions, such as the one that `installVsix` fills. */
  readonly extensionsDir?: string | undefined;
  /** User settings in addition to `quietSettings`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /**
   * The display language, such as `de`. Texts of extensions are in it. Texts of VS Code stay English, because there is no language
   * pack. Default: `en`.
   */
  readonly language?: string | undefined;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
  /** True: the window opens in Restricted Mode. Default: false, every folder is trusted. */
  readonly workspaceTrust?: boolean | undefined;
  /** Variables for the extension host in addition to the environment of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';
export type EditorPart = 'active' | 'original' | 'modified';

/** The properties read of a line's element. This compilation has no DOM types. */
interface LineElement {
  readonly offsetHeight: number;
  readonly style: { readonly top: string };
  readonly textContent: string | null;
}

const extensionId = 'open-agent.open-agent-vscode';
const themes: Readonly<Record<Theme, { readonly label: string; readonly rootClass: string }>> = {
  dark: { label: 'Dark Modern', rootClass: 'vs-dark' },
  light: { label: 'Light Modern', rootClass: 'vs' },
  highContrast: { label: 'Dark High Contrast', rootClass: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', rootClass: 'hc-light' },
};
/** Long, because it only delays failures. On two busy cores a window starts in 10 to 40 seconds. */
const startTimeoutMs = 120_000;
const actionTimeoutMs = 60_000;
/** The limit for one attempt of an action that is retried. */
const attemptTimeoutMs = 10_000;
/** Some lists are made from what is found on the machine. */
const pickTimeoutMs = 20_000;

/**
 * A real VS Code window in headless Chromium, used as a person uses it. Each action waits up to 60 seconds for the
 * elements it needs. The browser profile lives as long as the object, so a reload finds its state.
 */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  readonly server: RunningServer;
  readonly folder: string;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #data: TemporaryFolder;
  readonly #isSecond: boolean;

  private constructor(parts: {
    page: Page;
    server: RunningServer;
    folder: string;
    browser: Browser;
    context: BrowserContext;
    data: TemporaryFolder;
    isSecond?: boolean;
  }) {
    this.#isSecond = parts.isSecond ?? false;
    this.page = parts.page;
    this.server = parts.server;
    this.folder = parts.folder;
    this.#browser = parts.browser;
    this.#context = parts.context;
    this.#data = parts.data;
  }

  /** Starts a server with an empty profile and opens the window. Resolves when the window is ready for input. */
  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const [install, executablePath] = await Promise.all([installServer(), requireChromium(), registerWebviewPlaces()]);
    const data = await createTemporaryFolder();
    const server = await runServer({
      install,
      serverDataDir: data.path,
      extensionsDir: options.extensionsDir,
      userSettings: { ...quietSettings, ...options.settings },
      workspaceTrust: options.workspaceTrust ?? false,
      smokeTestDriver: true,
      env: options.env,
    });
    const browser = await chromium.launch({ executablePath, args: [...chromiumArguments] });
    const context = await browser.newContext({
      viewport: options.viewport ?? { width: 1400, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    });
    // With a language pack, VS Code's own page sets this.
    if (options.language !== undefined)
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)}`);
    const page = await context.newPage();
    page.setDefaultTimeout(actionTimeoutMs);
    const workbench = new Workbench({ page, server, folder: options.folder, browser, context, data });
    try {
      const extension = options.extensionDevelopmentPath === undefined ? projectRoot : options.extensionDevelopmentPath;
      const target: WorkbenchTarget = { folder: options.folder, extensionDevelopmentPath: extension ?? undefined };
      await page.goto(server.workbenchUrl(target), { timeout: startTimeoutMs });
      await workbench.#untilReady();
    } catch (error) {
      await workbench.screenshot('workbench-did-not-open');
      await workbench.dispose();
      throw new Error(`The VS Code window did not open. The server said:\n${server.output()}`, { cause: error });
    }
    return workbench;
  }

  /** Opens a second window on the same folder, with its own extension host. Disposing it closes only that window. */
  async openWindow(): Promise<Workbench> {
    const context = await this.#browser.newContext({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(actionTimeoutMs);
    const parts = { server: this.server, folder: this.folder, browser: this.#browser, data: this.#data };
    const window = new Workbench({ ...parts, page, context, isSecond: true });
    await page.goto(this.page.url(), { timeout: startTimeoutMs });
    await window.#untilReady();
    return window;
  }

  /** The document inside the panel's webview, which is two frames deep. Show the view first with a command. */
  panel(extension: string = extensionId): FrameLocator {
    return this.page.frameLocator(`webview-over=bars:${extension}`).frameLocator('iframe#active-frame');
  }

  /**
   * Shows the panel. Resolves when its prompt field has the focus: the panel takes it late, and a key pressed on another of its
   * elements before would be lost.
   */
  async showChat(): Promise<void> {
    await this.runCommand('Open Agent: Focus Chat');
    await this.panel().locator('textarea:focus').waitFor();
  }

  /** Shows the explorer in the place of the panel. Resolves when the panel's page is gone, and the extension was told before. */
  async hideChat(): Promise<void> {
    await this.runCommand('View: Show Explorer');
    await this.panel().locator('textarea').waitFor({ state: 'detached' });
  }

  /** The document of the chat in an editor. */
  chatTab(): FrameLocator {
    return this.page.frameLocator(`webview-over=editor:${extensionId}`).frameLocator('iframe#active-frame');
  }

  /** Runs a command from the palette by its category and title, such as `Open Agent: New Session`. */
  async runCommand(title: string): Promise<void> {
    await this.startCommand(title);
    await this.#quickInput.waitFor({ state: 'hidden' });
  }

  /** Runs a command that opens a quick pick or an input box: does not wait until the palette closes. */
  async startCommand(title: string): Promise<void> {
    const rows = this.#quickInput.locator('.monaco-list-row');
    const wanted = rows
      .filter({ has: this.page.locator('.monaco-highlighted-label', { hasText: exactly(title) }) })
      .first();
    // Without a match, the palette offers similar commands if there are any.
    const none = rows.filter({ hasText: /No matching commands|similar commands/ }).first();
    // The palette lists the commands known when it opened. Commands of extensions may come later, so this retries.
    await this.#useQuickInput(`>${title}`, async (_input, limit) => {
      await wanted.or(none).first().waitFor(limit);
      if ((await wanted.count()) === 0) return false;
      await wanted.click(limit);
      return true;
    });
  }

  /**
   * Runs a command that opens a list, and clicks the first row with this text. VS Code closes a list when something else takes
   * the focus, such as a panel that has just opened, so this retries.
   */
  async pick(command: string, row: string): Promise<void> {
    const wanted = this.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: row }).first();
    await this.until(`"${row}" is chosen`, async () => {
      await this.startCommand(command);
      if (await succeeds(wanted.click({ timeout: pickTimeoutMs }))) return true;
      if (await this.#quickInput.isVisible()) await this.page.keyboard.press('Escape');
      await this.#quickInput.waitFor({ state: 'hidden' });
      return false;
    });
  }

  /** Opens a file in the editor and focuses it. The path is absolute or relative to the folder. */
  async openFile(file: string): Promise<void> {
    const row = this.page.locator('.quick-input-list .monaco-list-row').first();
    const name = row.locator('.monaco-highlighted-label', { hasText: exactly(path.basename(file)) }).first();
    await this.#useQuickInput(path.isAbsolute(file) ? file : path.join(this.folder, file), async (input, limit) => {
      await name.waitFor(limit);
      await input.press('Enter', limit);
      return true;
    });
    await this.#quickInput.waitFor({ state: 'hidden' });
    await this.page
      .locator(`.tabs-container .tab.active[data-resource-name="${path.basename(file)}"]`)
      .first()
      .waitFor();
    const text = this.page.locator('.editor-instance .view-lines, .notebookOverlay .cell-list-container .view-lines');
    await text.filter({ visible: true }).first().waitFor();
  }

  /** Selects whole lines of the active editor, counted from 1. */
  async selectLines(first: number, last: number): Promise<void> {
    await this.#goTo(first, 1);
    for (let line = first; line < last; line += 1) await this.page.keyboard.press('Shift+ArrowDown');
    await this.page.keyboard.press('Shift+End');
  }

  /** Selects the first occurrence of a text in the active editor. The text must not span lines. */
  async selectText(text: string): Promise<void> {
    let lines: readonly string[] = [];
    await this.until(`the active editor shows "${text}"`, async () => {
      lines = (await this.editorText()).split('\n');
      return lines.some((candidate) => candidate.includes(text));
    });
    const line = lines.findIndex((candidate) => candidate.includes(text));
    await this.#goTo(line + 1, (lines[line] ?? '').indexOf(text) + 1);
    for (let column = 0; column < text.length; column += 1) await this.page.keyboard.press('Shift+ArrowRight');
  }

  /**
   * The visible text of the active editor or of one side of the diff editor, lines joined with `\n`. The page contains
   * only the lines inside the viewport, so a long file gives a part of its text.
   */
  async editorText(part: EditorPart = 'active'): Promise<string> {
    const lines = this.editor(part).locator('.view-lines > .view-line');
    await lines.first().waitFor();
    const found = await lines.evaluateAll((elements) =>
      (elements as unknown as readonly LineElement[])
        .filter((element) => element.offsetHeight > 0)
        .map((element) => ({ top: Number.parseFloat(element.style.top), text: element.textContent ?? '' })),
    );
    return found
      .toSorted((a, b) => a.top - b.top)
      .map((line) => line.text.replaceAll('\u00A0', ' ').replaceAll('\u200B', ''))
      .join('\n');
  }

  /**
   * Selects a place with `select`, opens its quick fixes, or the menu of code actions that `key` opens, and chooses the one
   * with this title.
   */
  async quickFix(title: string, select: () => Promise<void>, key = 'ControlOrMeta+.'): Promise<void> {
    const row = this.page.locator('.action-widget .monaco-list-row').filter({ hasText: title }).first();
    // The menu lists the actions of the extensions that had answered when it opened, so this retries. Without a menu, Escape
    // takes the selection away.
    await this.until(`the quick fix "${title}" is offered`, async () => {
      await select();
      await this.editor().locator('.native-edit-context, textarea.inputarea').first().focus();
      await this.page.keyboard.press(key);
      if (await succeeds(row.waitFor({ timeout: attemptTimeoutMs }))) return true;
      await this.page.keyboard.press('Escape');
      return false;
    });
    await this.screenshot(`quick-fix-${title.replaceAll(/\W+/g, '-')}`);
    await row.click();
  }

  /** Opens the context menu of the element, and chooses the item with this title. */
  async contextMenu(element: Locator, title: string): Promise<void> {
    const menu = this.page.locator('.monaco-menu');
    const item = menu.getByRole('menuitem', { name: title }).locator('.action-label').last();
    const chosen = menu.locator('.action-item.focused').filter({ hasText: title });
    const limit = { timeout: attemptTimeoutMs };
    const attempt = async (): Promise<void> => {
      await element.click({ ...limit, button: 'right' });
      await item.hover(limit);
      await chosen.waitFor(limit);
    };
    // VS Code closes a menu when something else takes the focus, and a list that is drawn again loses the click.
    await this.until(`the context menu offers "${title}"`, async () => {
      if (await succeeds(attempt())) return true;
      if ((await menu.count()) > 0) await this.page.keyboard.press('Escape');
      await menu.first().waitFor({ state: 'hidden' });
      return false;
    });
    await this.screenshot(`context-menu-${title.replaceAll(/\W+/g, '-')}`);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the active editor shows exactly this text. It draws its lines step by step. */
  async untilEditorShows(text: string): Promise<void> {
    await this.until(`the editor shows ${JSON.stringify(text)}`, async () => (await this.editorText()) === text);
  }

  /** The editor element, to click and type into. */
  editor(part: EditorPart = 'active'): Locator {
    const group = this.page.locator('.editor-group-container.active');
    if (part !== 'active') return group.locator(`.monaco-diff-editor .editor.${part}`).first();
    return group.locator('.editor-instance .monaco-editor').first();
  }

  /** The names on the tabs of the editor area. */
  async tabs(): Promise<readonly string[]> {
    return this.page
      .locator('.editor .tabs-container .tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-resource-name') ?? ''));
  }

  /**
   * Waits for a notification that contains a text. VS Code shows no toasts with the test driver, so this opens the
   * notification centre; `hideNotifications` closes it.
   */
  async notification(text: string | RegExp): Promise<Locator> {
    const centre = this.page.locator('.notifications-center.visible');
    const found = centre.locator('.notification-list-item').filter({ hasText: text }).first();
    // The centre closes with its last notification, so this opens it again.
    await this.until(`a notification says ${String(text)}`, async () => {
      if ((await centre.count()) === 0) await this.runCommand('Notifications: Show Notifications');
      return succeeds(found.waitFor({ timeout: attemptTimeoutMs }));
    });
    return found;
  }

  async hideNotifications(): Promise<void> {
    await this.runCommand('Notifications: Hide Notifications');
    await this.page.locator('.notifications-center.visible').waitFor({ state: 'hidden' });
  }

  /**
   * Changes user settings in the open window; undefined removes one. Edits the settings file in the window,
   * because this build does not notice outside changes. Resolves when the settings are saved and the editor is closed.
   */
  async updateSettings(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const current: unknown = JSON.parse(await readFile(this.server.settingsFile, 'utf8'));
    const text = JSON.stringify({ ...(current as object), ...changes }, null, 2);
    await this.runCommand('Preferences: Open User Settings (JSON)');
    const tab = this.page.locator('.tabs-container .tab.active[data-resource-name="settings.json"]');
    await tab.waitFor();
    await this.editor().locator('.view-line').first().click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.keyboard.press('ControlOrMeta+v');
    await this.page.keyboard.press('ControlOrMeta+s');
    await this.until('the settings are saved', async () => (await readFile(this.server.settingsFile, 'utf8')) === text);
    await this.runCommand('View: Close Editor');
    await tab.waitFor({ state: 'hidden' });
  }

  async setTheme(theme: Theme): Promise<void> {
    const { label, rootClass } = themes[theme];
    const rows = this.#quickInput.locator('.monaco-list-row');
    // The picker lists the themes known when it opened. Themes of extensions may come later, so this retries.
    await this.until(`the theme "${label}" is offered`, async () => {
      await this.startCommand('Preferences: Color Theme');
      await this.#quickInput.locator('input[placeholder*="Theme"]').fill(label);
      const wanted = this.#quickInput.locator('.monaco-list-row.focused').getByText(label, { exact: true });
      // Without a match, its only row offers to browse more themes.
      await this.until('it is found or not', async () => (await wanted.count()) > 0 || (await rows.count()) === 1);
      if ((await wanted.count()) > 0) return true;
      await this.page.keyboard.press('Escape');
      await this.#quickInput.waitFor({ state: 'hidden' });
      return false;
    });
    await this.page.keyboard.press('Enter');
    await this.page.locator(`.monaco-workbench.${rootClass}`).waitFor();
    await this.#quickInput.waitFor({ state: 'hidden' });
  }

  async setViewport(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
  }

  /** Saves a picture of the window as `test-results/<name>.png`. Resolves with its path. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(projectRoot, 'test-results', `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  /**
   * Checks the condition repeatedly in this process until it is true. For states outside of the page. A frame that VS Code
   * loads anew meanwhile is looked at again.
   */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const started = performance.now();
    const isSo = async (): Promise<boolean> => {
      try {
        return await condition();
      } catch (error) {
        if (/Execution context was destroyed|Frame was detached/.test(String(error))) return false;
        throw error;
      }
    };
    while (!(await isSo())) {
      if (performance.now() - started > actionTimeoutMs)
        throw new Error(`Waited ${actionTimeoutMs} ms in vain until ${what}.`);
      // Pauses for one animation frame of the page.
      await this.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    }
  }

  /**
   * Waits until the memory of extensions holds a text on disk. An extension hands a value over at once, but a slow window
   * writes it later, and this build drops what is not written when it reloads.
   */
  async untilStored(text: string): Promise<void> {
    await this.until(`${text} is stored`, async () => {
      const values = await this.page.evaluate<readonly string[]>(storedValues);
      return values.some((value) => value.includes(text));
    });
  }

  /** Runs "Developer: Reload Window", so VS Code saves its state. The browser profile stays. */
  async reload(): Promise<void> {
    await this.page.evaluate(untilStorageIsWritten);
    const loaded = this.page.waitForEvent('load', { timeout: startTimeoutMs });
    await this.startCommand('Developer: Reload Window');
    await loaded;
    await this.#untilReady();
  }

  async dispose(): Promise<void> {
    await this.#context.close();
    if (this.#isSecond) return;
    await this.#browser.close();
    await this.server.dispose();
    await this.#data.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** Waits until the window has restored its state. Before that, VS Code closes an opened palette again. */
  async #untilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: startTimeoutMs });
    await this.page.waitForFunction('window.driver?.whenWorkbenchRestored !== undefined', undefined, {
      timeout: startTimeoutMs,
    });
    await this.page.evaluate('window.driver.whenWorkbenchRestored()');
  }

  get #quickInput(): Locator {
    return this.page.locator('.quick-input-widget');
  }

  async #goTo(line: number, column: number): Promise<void> {
    await this.#useQuickInput(`:${line}:${column}`, async (input, limit) => {
      await input.press('Enter', limit);
      return true;
    });
    await this.#quickInput.waitFor({ state: 'hidden' });
  }

  /**
   * Opens the palette, types into it and calls `use`. Retries while `use` resolves to false or times out, because the
   * palette closes when it loses the focus and can miss keys.
   */
  async #useQuickInput(
    text: string,
    use: (input: Locator, limit: { readonly timeout: number }) => Promise<boolean>,
  ): Promise<void> {
    const input = this.#quickInput.locator('input[type="text"]').first();
    const limit = { timeout: attemptTimeoutMs };
    const attempt = async (): Promise<boolean> => {
      // A key pressed inside a webview first passes through two frames.
      await this.page.keyboard.press('F1');
      await input.waitFor(limit);
      await input.fill(text, limit);
      return use(input, limit);
    };
    await this.until(`the palette takes "${text}"`, async () => {
      if (await succeeds(attempt())) return true;
      if (await this.#quickInput.isVisible()) await this.page.keyboard.press('Escape');
      await this.#quickInput.waitFor({ state: 'hidden' });
      return false;
    });
  }
}

/** Reads all values that VS Code keeps in the browser, as script of the page. */
const storedValues = `(async () => {
  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const values = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await done(indexedDB.open(name));
    for (const table of database.objectStoreNames) {
      values.push(...(await done(database.transaction(table).objectStore(table).getAll())));
    }
    database.close();
  }
  return values.filter((value) => typeof value === 'string');
})()`;

/**
 * Resolves when all that VS Code's window holds is on disk, as script of the page. The window collects values for 100 ms; a timer
 * started later with a longer time runs after that. A transaction that reads waits for those before it that write.
 */
const untilStorageIsWritten = `new Promise((resolve) => setTimeout(resolve, 250)).then(() => ${storedValues}).then(() => {})`;

/** Resolves to false when the action resolves to false or times out, else to true. Throws other errors. */
async function succeeds(action: Promise<boolean | void>): Promise<boolean> {
  try {
    return (await action) !== false;
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return false;
  }
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}
