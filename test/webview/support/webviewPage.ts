import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { BrowserContext, Page } from 'playwright-core';
import { chromiumArguments, requireChromium } from '../../../scripts/chromium';
import { projectRoot } from '../../../scripts/projectRoot';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import type { SessionView } from '../../../src/agent/view/sessionView';
import { panelHtml } from '../../../src/host/panel/page/panelHtml';
import type { FromWebview } from '../../../src/protocol/fromWebview';
import type { PanelState, ToWebview } from '../../../src/protocol/toWebview';
import { isConversationDrawn } from '../../support/window/drawnConversation';
import { translationsOf, type PanelLanguage } from './languages';
import themes from './themes.json';

export type PanelTheme = keyof typeof themes;

export const panelThemes = Object.keys(themes) as readonly PanelTheme[];

type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never;
export type Fact = WithoutSeq<ToWebview>;

export interface WebviewPageOptions {
  readonly theme?: PanelTheme | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The first result of `vscode.getState()`: the state of an earlier page. */
  readonly savedState?: unknown;
  /** Default: English. */
  readonly language?: PanelLanguage | undefined;
}

const ownIntents: ReadonlySet<FromWebview['type']> = new Set([
  'ready',
  'saveDraft',
  'focusChanged',
  'findPlaces',
  'followMentions',
]);

/** A panel with a server and one model. Its session is empty. */
export const readyPanel: PanelState = {
  connection: { kind: 'connected', baseUrl: 'http://127.0.0.1:8080/v1', serverName: 'llama.cpp', isConfigured: false },
  isTrusted: true,
  hasFolder: true,
  models: [{ id: 'qwen3-8b', contextWindow: 32_768 }],
  selectedModel: 'qwen3-8b',
  agent: { mode: 'ask', modes: ['plan', 'ask', 'acceptEdits'], profiles: [], agents: [], problems: [] },
  commands: [],
  mcpServers: [],
  sessions: [],
  sessionCount: 0,
  sessionQuery: '',
};

/** Builds the panel if its sources are newer than the last build. */
export async function buildWebview(): Promise<void> {
  const built = path.join(projectRoot, 'dist', 'webview', 'main.js');
  const sources = ['src/webview', 'src/util', 'src/agent/view', 'src/protocol'].map((name) =>
    path.join(projectRoot, name),
  );
  if (existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest))) return;
  await promisify(execFile)(process.execPath, ['esbuild.js', '--only', 'webview'], { cwd: projectRoot });
}

function newest(file: string): number {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(file).map((name) => newest(path.join(file, name))));
}

/** A browser and a loopback server with the built panel. Dispose it. */
export class WebviewBrowser {
  readonly #context: BrowserContext;
  readonly #server: Server;
  readonly #origin: string;

  private constructor(context: BrowserContext, server: Server) {
    this.#context = context;
    this.#server = server;
    this.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<WebviewBrowser> {
    const [executablePath] = await Promise.all([requireChromium(), buildWebview()]);
    // Kept in memory, so that a build that runs meanwhile does not delete a chunk.
    const folder = path.join(projectRoot, 'dist', 'webview');
    const names = await readdir(folder);
    const files = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
    );
    const server = createServer((request, response) =>
      answer(new URL(request.url ?? '/', 'http://x'), files, response),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({ executablePath, args: [...chromiumArguments] });
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      // Frames of an animation differ from picture to picture.
      reducedMotion: 'reduce',
    });
    const started = new WebviewBrowser(context, server);
    // Stays open, so that later pages share its process. Starting a process takes half a second.
    await (await context.newPage()).goto(started.#origin);
    return started;
  }

  /**
   * Opens the panel in a new page, as VS Code would. It has sent `ready` and nothing else. All pages share one browser
   * context.
   */
  async open(options: WebviewPageOptions = {}): Promise<WebviewPage> {
    const { theme = 'dark', width = 420, height = 800, savedState, language = 'en' } = options;
    const page = await this.#context.newPage();
    await page.setViewportSize({ width, height });
    // Long, because it only delays failures.
    page.setDefaultTimeout(60_000);
    await page.addInitScript({ content: fakeVSCode(savedState) });
    const panel = new WebviewPage(page, language);
    await page.goto(`${this.#origin}/?theme=${theme}&language=${language}`);
    await panel.intent('ready');
    return panel;
  }

  async dispose(): Promise<void> {
    await this.#context.browser()?.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The panel in a page. The test is its host. */
export class WebviewPage {
  readonly page: Page;
  /** The page's exceptions, console errors, violated policies and foreign requests. Must stay empty. */
  readonly problems: string[] = [];
  /** What the panel got so far, as JSON. */
  readonly received: string[] = [];
  /** The text of a control, in the language of the page. */
  readonly say: (english: string) => string;
  #seq = 0;

  constructor(page: Page, language: PanelLanguage) {
    this.page = page;
    this.say = (english) => translationsOf(language)?.[english] ?? english;
    page.on('pageerror', (error) => this.problems.push(`exception: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    page.on('dialog', (dialog) => {
      this.problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const { origin } = new URL(request.url());
      if (!request.url().startsWith('data:') && origin !== new URL(page.url()).origin && page.url() !== 'about:blank')
        this.problems.push(`request: ${request.url()}`);
    });
  }

  /** Posts a fact with the next number and waits until the page has drawn it: no visible row is missing. */
  async send(fact: Fact): Promise<void> {
    this.#seq += 1;
    await this.sendRaw({ ...fact, seq: this.#seq });
  }

  /** Skips numbers, as if messages were lost. */
  lose(count = 1): void {
    this.#seq += count;
  }

  async sendRaw(message: ToWebview): Promise<void> {
    this.received.push(JSON.stringify(message));
    await this.page.evaluate(async (json) => {
      window.postMessage(JSON.parse(json), '*');
      await new Promise((resolve) => setTimeout(resolve));
      // In one frame the page renders, in the next its effects run.
      for (let frame = 0; frame < 3; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, JSON.stringify(message));
    // The page's policy forbids what `waitForFunction` does from the second look on.
    while (!(await this.page.evaluate<boolean>(isConversationDrawn)))
      await this.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }

  async snapshot(session?: SessionView, panel: Partial<PanelState> = {}, draft = ''): Promise<void> {
    const activeSessionId = session?.sessionId;
    await this.send({ type: 'snapshot', panel: { ...readyPanel, activeSessionId, ...panel }, session, draft });
  }

  async events(sessionId: string, ...events: readonly SessionEvent[]): Promise<void> {
    await this.send({ type: 'session_events', sessionId, events });
  }

  /** All intents so far, without those that pages send by themselves: `ready`, `saveDraft` and the like. */
  async intents(): Promise<readonly FromWebview[]> {
    const all = await this.allIntents();
    return all.filter(({ type }) => !ownIntents.has(type));
  }

  allIntents(): Promise<readonly FromWebview[]> {
    return this.page.evaluate(() => (window as unknown as { intents: FromWebview[] }).intents);
  }

  /** The newest intent of a type. Waits until there is one. */
  async intent<T extends FromWebview['type']>(type: T): Promise<Extract<FromWebview, { type: T }>> {
    const newest = async () => (await this.allIntents()).findLast((intent) => intent.type === type);
    // Looks first without waiting, because starting to wait costs a tenth of a second.
    const found = (await newest()) ?? (await this.#waitFor(type).then(newest));
    return found as Extract<FromWebview, { type: T }>;
  }

  async #waitFor(type: FromWebview['type']): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => (window as unknown as { intents: FromWebview[] }).intents.some((intent) => intent.type === wanted),
      type,
    );
  }

  savedState(): Promise<unknown> {
    return this.page.evaluate(() => (window as unknown as { savedState: unknown }).savedState);
  }

  /** Changes the theme of the open panel, as VS Code does: a body class and variables. */
  async setTheme(theme: PanelTheme): Promise<void> {
    await this.page.evaluate(
      ({ bodyClass, styles }) => {
        document.body.className = `vscode-body ${bodyClass}`;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(styles);
        for (const link of document.querySelectorAll<HTMLLinkElement>('link[href^="/theme.css"]')) link.disabled = true;
        document.adoptedStyleSheets = [sheet];
      },
      { bodyClass: BODY_CLASSES[theme], styles: themeStyles(theme) },
    );
  }

  /** Saves a picture for `npm run screenshots`; does nothing in other runs. */
  async statePicture(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS_FOLDER'];
    if (folder === undefined) return;
    await this.page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
  }

  /** Saves a picture as `test-results/webview/<name>.png`. */
  async screenshot(name: string): Promise<void> {
    const folder = path.join(projectRoot, 'test-results', 'webview');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled' });
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** Runs in the page before its scripts: VS Code's API, which keeps posted messages for the test. */
const fakeVSCode = (savedState: unknown): string => `
  // The test's compiler puts calls of this into functions that run in the page.
  window.__name = (value) => value;
  window.intents = [];
  window.savedState = ${JSON.stringify(savedState) ?? 'undefined'};
  let isAcquired = false;
  window.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('The API has already been acquired.');
    isAcquired = true;
    return {
      postMessage: (message) => {
        window.drawnBeforeFirst ??= document.getElementById('root').childElementCount;
        window.intents.push(structuredClone(message));
      },
      getState: () => window.savedState,
      setState: (state) => void (window.savedState = structuredClone(state)),
    };
  };
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
  });
`;

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.map': 'application/json',
};

function answer(url: URL, files: ReadonlyMap<string, Buffer>, response: ServerResponse): void {
  const theme = (url.searchParams.get('theme') ?? 'dark') as PanelTheme;
  const name = path.basename(url.pathname);
  const file = files.get(name);
  if (url.pathname === '/') {
    // VS Code's frame allows scripts and no forms. A body class and a style sheet set the theme.
    response.setHeader('content-security-policy', 'sandbox allow-scripts allow-same-origin allow-downloads');
    response.setHeader('content-type', 'text/html');
    response.end(documentFor(theme, (url.searchParams.get('language') ?? 'en') as PanelLanguage));
  } else if (name === 'theme.css') {
    response.setHeader('content-type', 'text/css');
    response.end(themeStyles(theme));
  } else if (file !== undefined) {
    response.setHeader('content-type', contentTypes[path.extname(name)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'max-age=3600');
    response.end(file);
  } else {
    response.statusCode = name === 'favicon.ico' ? 204 : 404;
    response.end();
  }
}

function documentFor(theme: PanelTheme, language: PanelLanguage): string {
  return panelHtml({
    scriptUri: '/main.js',
    styleUri: '/main.css',
    cspSource: "'self'",
    nonce: 'test',
    // Dates of Chinese have no Latin letters.
    language: language === 'marked' ? 'zh' : language,
    translations: translationsOf(language),
  })
    .replace('<link', `<link rel="stylesheet" href="/theme.css?theme=${theme}" />\n    <link`)
    .replace('<body>', `<body class="vscode-body ${BODY_CLASSES[theme]}">`);
}

/** VS Code's body classes. The light high contrast theme has the dark one's class as well. */
const BODY_CLASSES: Readonly<Record<PanelTheme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

/** VS Code's variables, and the part of its style sheet for webviews that affects the panel. */
function themeStyles(theme: PanelTheme): string {
  const variables = Object.entries(themes[theme]).map(([name, value]) => `${name}: ${value};`);
  return `:root { ${variables.join(' ')} }
html { background: var(--vscode-sideBar-background); }
@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); margin: 0; padding: 0 20px; }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, input:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
}
`;
}
