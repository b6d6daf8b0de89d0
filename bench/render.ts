import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { CDPSession, Page } from 'playwright-core';
import { projectRoot } from '../scripts/projectRoot';
import type { AgentEvent } from '../src/sdk/events';
import { sessionId } from '../test/webview/support/sessions';
import { WebviewBrowser, readyPanel } from '../test/webview/support/webviewPage';
import { installPeers } from './support/peers';

const CHARACTERS = 200_000;
const PIECE_CHARACTERS = 2_000;
const ROUNDS = 2;
const MAX_RATIO = 0.15;
const MAX_TASK_MS = 50;
const peers = path.join(projectRoot, 'bench', '.peers');

/** Processor time of the page's main thread, in milliseconds. Other programs on the machine do not change it much. */
interface Rendering {
  readonly workMs: number;
  readonly longestTaskMs: number;
}

/**
 * The panel's work for a streaming answer, one piece a frame, beside react-markdown in the same browser. Compares only with
 * `--peers`, or when the peers are installed.
 */
export async function run(print: (line: string) => void, flags: readonly string[] = []): Promise<boolean> {
  if (flags.includes('--peers')) await installPeers();
  const script = await peerScript();
  const pieces = piecesOf(await longAnswer());
  // As it is shipped: the peer is minified too.
  const build = ['esbuild.js', '--production', '--only', 'webview'];
  await promisify(execFile)(process.execPath, build, { cwd: projectRoot });
  const browser = await WebviewBrowser.start();
  try {
    const own: Rendering[] = [];
    const peer: Rendering[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      own.push(await inPanel(browser, pieces));
      if (script !== undefined) peer.push(await inPeer(browser, pieces, script));
    }
    const best = bestOf(own);
    print(
      `an answer of ${CHARACTERS / 1_000} kB in ${pieces.length} pieces; the best of ${ROUNDS} rounds, in ms of processor time`,
    );
    print(`  panel: ${shown(best)}, limit of a task ${MAX_TASK_MS}`);
    const holds = best.longestTaskMs <= MAX_TASK_MS;
    if (peer.length === 0) {
      print('  react-markdown: not installed: add --peers');
      return holds;
    }
    const reference = bestOf(peer);
    const ratio = best.workMs / reference.workMs;
    print(`  react-markdown: ${shown(reference)}`);
    print(`  ratio ${ratio.toFixed(2)}, limit ${MAX_RATIO}`);
    return holds && ratio <= MAX_RATIO;
  } finally {
    await browser.dispose();
  }
}

function bestOf(renderings: readonly Rendering[]): Rendering {
  const least = (name: keyof Rendering): number => Math.min(...renderings.map((rendering) => rendering[name]));
  return { workMs: least('workMs'), longestTaskMs: least('longestTaskMs') };
}

function shown({ workMs, longestTaskMs }: Rendering): string {
  return `work ${workMs.toFixed(0)}, longest task ${longestTaskMs.toFixed(0)}`;
}

/** The documents of this project, as one long answer. */
async function longAnswer(): Promise<string> {
  const pages = (await readdir(path.join(projectRoot, 'docs'))).filter((name) => name.endsWith('.md')).toSorted();
  const files = ['ARCHITECTURE.md', 'SECURITY.md', 'README.md', ...pages.map((name) => path.join('docs', name))];
  const texts = await Promise.all(files.map((name) => readFile(path.join(projectRoot, name), 'utf8')));
  const text = texts.join('\n\n');
  return text.repeat(Math.ceil(CHARACTERS / text.length)).slice(0, CHARACTERS);
}

function piecesOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / PIECE_CHARACTERS);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS),
  );
}

async function inPanel(browser: WebviewBrowser, pieces: readonly string[]): Promise<Rendering> {
  const panel = await browser.open();
  try {
    const session = { sessionId, title: 'A long answer', state: 'running', items: [] } as const;
    await panel.snapshot(session, { ...readyPanel, activeSessionId: sessionId });
    await panel.events(sessionId, { type: 'agent', event: { type: 'step_start', step: 1 }, ts: 0 });
    const message = (text: string, index: number): object => {
      const event: AgentEvent = { type: 'text_delta', block: 0, text };
      return { type: 'session_events', seq: index + 3, sessionId, events: [{ type: 'agent', event, ts: 0 }] };
    };
    await panel.page.evaluate(() => {
      Object.assign(window, { show: (piece: unknown) => window.postMessage(piece, '*') });
    });
    return await measure(panel.page, pieces.map(message), '.markdown-block');
  } finally {
    await panel.close();
  }
}

async function inPeer(browser: WebviewBrowser, pieces: readonly string[], script: string): Promise<Rendering> {
  const panel = await browser.open();
  const page = await panel.page.context().newPage();
  try {
    await page.setViewportSize({ width: 420, height: 800 });
    await page.setContent('<div id="root"></div>');
    await page.evaluate('window.__name = (value) => value');
    await page.addScriptTag({ content: script });
    return await measure(page, pieces, '#root h1');
  } finally {
    await page.close();
    await panel.close();
  }
}

/** Feeds `window.show` one piece a frame, and waits until the page is quiet. */
async function measure(page: Page, pieces: readonly unknown[], rendered: string): Promise<Rendering> {
  page.setDefaultTimeout(300_000);
  const devtools = await page.context().newCDPSession(page);
  const tasks = await recordTasks(devtools);
  await page.evaluate(
    async ({ all, selector }) => {
      const { show } = window as unknown as { show: (piece: unknown) => void };
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (const piece of all) {
        show(piece);
        await frame();
      }
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      if (document.querySelector(selector) === null) throw new Error(`There is no ${selector}: nothing was rendered.`);
    },
    { all: pieces, selector: rendered },
  );
  return summary(await tasks.end());
}

/** A task in a trace of Chromium. */
interface TracedTask {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
}

const TASK = 'ThreadControllerImpl::RunTask';

async function recordTasks(devtools: CDPSession) {
  const tasks: TracedTask[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as readonly TracedTask[]) if (event.name === TASK) tasks.push(event);
  });
  const categories = ['toplevel', 'devtools.timeline'];
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: categories },
  });
  return {
    async end(): Promise<readonly TracedTask[]> {
      const isOver = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
      await devtools.send('Tracing.end');
      await isOver;
      return tasks;
    },
  };
}

/** Of the busiest thread, which is the one of the page. */
function summary(tasks: readonly TracedTask[]): Rendering {
  const threads = new Map<string, Rendering>();
  for (const { pid, tid, tdur = 0 } of tasks) {
    const { workMs, longestTaskMs } = threads.get(`${pid} ${tid}`) ?? NOTHING;
    const ms = tdur / 1_000;
    threads.set(`${pid} ${tid}`, { workMs: workMs + ms, longestTaskMs: Math.max(longestTaskMs, ms) });
  }
  return [...threads.values()].reduce((most, one) => (one.workMs > most.workMs ? one : most), NOTHING);
}

const NOTHING: Rendering = { workMs: 0, longestTaskMs: 0 };

/** React-markdown with `window.show`, which adds a piece to its text. `undefined`: it is not installed. */
async function peerScript(): Promise<string | undefined> {
  if (!existsSync(path.join(peers, 'node_modules', 'react-markdown'))) return undefined;
  const contents = `
    import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    import Markdown from 'react-markdown';
    const root = createRoot(document.getElementById('root'));
    let text = '';
    window.show = (piece) => {
      text += piece;
      root.render(createElement(Markdown, null, text));
    };`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: peers },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text;
}
