import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { ModelServer } from '../servers/modelServer';
import type { CompletionRequest, ModelServerOptions, Turn } from '../servers/modelServer';
import { createTemporaryFolder } from '../files/temporaryFolder';
import type { TemporaryFolder } from '../files/temporaryFolder';
import { installSecondExtension } from './secondExtension';
import { installVirtualFolder } from '../files/virtualFolder';
import { sendPrompt } from './sendPrompt';
import { Workbench } from './workbench';
import type { WorkbenchOptions } from './workbench';

/** A window with a folder and a model server, for the tests of the surrounding `describe`. */
export interface ChatWindow {
  readonly workbench: Workbench;
  readonly server: ModelServer;
  readonly folder: string;
  readonly panel: FrameLocator;
  /** Scripts the next turns of the model. */
  expect(...turns: readonly Turn[]): void;
  /** Resolves when an empty session is on screen. */
  newSession(): Promise<void>;
  /** Scripts the next turns of the model and sends a prompt in a new session. */
  ask(prompt: string, ...turns: readonly Turn[]): Promise<void>;
  /** Waits for the nth request since the last `expect` or `ask`, counted from 1. */
  request(number: number): Promise<CompletionRequest>;
  /** A tool's card by its accessible name, such as `Edit src/a.ts`. */
  card(name: string): Locator;
  button(name: string): Locator;
  /** Chooses an answer behind the chevron of the first question on screen. */
  answerWith(name: string): Promise<void>;
  /** Waits until the session on screen is idle and its last answer is this text. */
  untilAnswered(text: string): Promise<void>;
  untilIdle(): Promise<void>;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

export interface ChatWindowOptions extends Omit<WorkbenchOptions, 'folder' | 'extensionsDir'> {
  /** A folder of installed extensions that is there before the window opens. */
  readonly extensionsFolder?: (() => string) | undefined;
  /** True: opens the virtual folder `test-virtual:/lib` instead of `files`. Default: false. */
  readonly isVirtual?: boolean | undefined;
  /** True: also installs `test/fixtures/second-extension`. Default: false. */
  readonly hasSecondExtension?: boolean | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** A folder that is there before the window opens, to open instead of `files`. */
  readonly existingFolder?: (() => string) | undefined;
  readonly modelServer?: ModelServerOptions | undefined;
}

/** Opens the window before the first test. After each test, checks that the model got exactly the scripted requests. */
export function useChatWindow({
  files,
  existingFolder,
  settings,
  modelServer,
  isVirtual = false,
  hasSecondExtension = false,
  extensionsFolder,
  ...options
}: ChatWindowOptions): ChatWindow {
  let opened:
    { folder: Pick<TemporaryFolder, 'path' | 'dispose'>; server: ModelServer; workbench: Workbench } | undefined;
  let extensions: TemporaryFolder | undefined;
  let firstRequest = 0;
  const parts = () => {
    if (opened === undefined) throw new Error('The window opens before the first test.');
    return opened;
  };

  before(async function () {
    // The first run may install VS Code and Chromium.
    this.timeout(600_000);
    const folder = existingFolder
      ? { path: existingFolder(), dispose: async () => {} }
      : await createTemporaryFolder(files);
    const server = await ModelServer.start(modelServer);
    try {
      if (isVirtual) extensions = await installVirtualFolder();
      else if (hasSecondExtension) extensions = await installSecondExtension();
      const workbench = await Workbench.open({
        ...options,
        ...(extensions && { extensionsDir: extensions.path }),
        ...(extensionsFolder && { extensionsDir: extensionsFolder() }),
        folder: isVirtual ? 'test-virtual:/lib' : folder.path,
        settings: { 'openAgent.baseUrl': server.baseUrl, ...settings },
      });
      opened = { folder, server, workbench };
    } catch (error) {
      await server.dispose();
      await folder.dispose();
      throw error;
    }
  });

  afterEach(async function () {
    if (opened === undefined) return;
    const { server, workbench } = opened;
    if (this.currentTest?.state === 'failed') {
      await workbench.screenshot(`failed-${this.currentTest.fullTitle().replaceAll(/\W+/g, '-')}`);
      // Unused turns must not reach the next test.
      server.dropTurns();
    }
    const unexpected = server.unexpected.splice(0).map(({ body }) => body.messages.at(-1));
    assert.deepEqual({ unexpected, turnsLeft: server.turnsLeft }, { unexpected: [], turnsLeft: 0 });
  });

  after(async () => {
    await opened?.workbench.dispose();
    await opened?.server.dispose();
    await opened?.folder.dispose();
    await extensions?.dispose();
  });

  const panel = () => parts().workbench.panel();
  const button = (name: string) => panel().getByRole('button', { name, exact: true });
  const expect = (...turns: readonly Turn[]): void => {
    const { server } = parts();
    firstRequest = server.completions.length;
    server.script(...turns);
  };
  // During a run, the button Send is shown only when the composer has text.
  const untilIdle = () => button('Send').waitFor();
  const newSession = async (): Promise<void> => {
    // An empty session on screen is used: on a busy machine the command could take effect after the prompt is sent.
    if (!(await panel().locator('.empty').isVisible())) {
      await parts().workbench.runCommand('Open Agent: New Session');
    }
    // Text that is typed before belongs to the session before.
    await panel().locator('.session-title').filter({ hasText: 'New session' }).waitFor();
    await panel().locator('.empty').waitFor();
  };
  return {
    untilIdle,
    get workbench() {
      return parts().workbench;
    },
    get server() {
      return parts().server;
    },
    get folder() {
      return parts().folder.path;
    },
    get panel() {
      return panel();
    },
    expect,
    newSession,
    async ask(prompt, ...turns) {
      expect(...turns);
      await newSession();
      await sendPrompt(parts().workbench, panel().getByLabel('Message to Open Agent'), prompt);
    },
    request: (number) => parts().server.completion(firstRequest + number),
    card: (name) => panel().getByRole('group', { name, exact: true }),
    button,
    async answerWith(name) {
      await button('More Answers').first().click();
      await panel().getByRole('menuitem', { name }).click();
    },
    async untilAnswered(text) {
      await panel().locator('.markdown').getByText(text, { exact: true }).last().waitFor();
      await untilIdle();
    },
    read: (file) => readFile(path.join(parts().folder.path, file), 'utf8'),
    write: (file, text) => writeFile(path.join(parts().folder.path, file), text),
  };
}
