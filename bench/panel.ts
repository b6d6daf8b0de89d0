import type { SessionView } from '../src/agent/view/sessionView';
import { WebviewBrowser, readyPanel, type WebviewPage } from '../test/webview/support/webviewPage';
import { longSession } from '../test/support/panel/longSession';

const RUNS = 5;
const LONG_TASK_MS = 50;
const KEYSTROKE_MS = 16;
const KEYSTROKES = 40;
const LIMITS = [
  { items: 4_000, openMs: 500 },
  { items: 10_000, openMs: 1_000 },
];

interface Opening {
  readonly openMs: number;
  readonly longestTaskMs: number;
  readonly rows: number;
  readonly keystrokeMs: number;
}

/** Opens long sessions in the panel and types into it. A session of 10 items, opened in turns, is the reference. */
export async function run(print: (line: string) => void, flags: readonly string[] = []): Promise<boolean> {
  const sizes = flags.some((flag) => flag.startsWith('--cases='))
    ? LIMITS.filter(({ items }) => flags.includes(`--cases=${items}`))
    : LIMITS;
  const browser = await WebviewBrowser.start();
  try {
    let holds = true;
    for (const { items, openMs } of sizes) {
      const long: Opening[] = [];
      const short: Opening[] = [];
      for (let turn = 0; turn < RUNS; turn += 1) {
        short.push(await measure(browser, longSession(10)));
        long.push(await measure(browser, longSession(items)));
      }
      const [best, reference] = [bestOf(long), bestOf(short)];
      print(`  ${items} items: ${shown(best)} (10 items: ${shown(reference)})`);
      print(`    limits: open ${openMs} ms, longest task ${LONG_TASK_MS} ms, keystroke ${KEYSTROKE_MS} ms`);
      holds &&= best.openMs <= openMs && best.longestTaskMs <= LONG_TASK_MS && best.keystrokeMs <= KEYSTROKE_MS;
    }
    return holds;
  } finally {
    await browser.dispose();
  }
}

function bestOf(openings: readonly Opening[]): Opening {
  const least = (name: keyof Opening): number => Math.min(...openings.map((opening) => opening[name]));
  return {
    openMs: least('openMs'),
    longestTaskMs: least('longestTaskMs'),
    rows: least('rows'),
    keystrokeMs: least('keystrokeMs'),
  };
}

function shown({ openMs, longestTaskMs, rows, keystrokeMs }: Opening): string {
  return `open ${openMs.toFixed(0)} ms, longest task ${longestTaskMs.toFixed(0)} ms, ${rows} rows, keystroke ${keystrokeMs.toFixed(1)} ms`;
}

async function measure(browser: WebviewBrowser, session: SessionView): Promise<Opening> {
  const panel = await browser.open();
  try {
    panel.page.setDefaultTimeout(300_000);
    const opening = await open(panel, session);
    return { ...opening, keystrokeMs: await typeInto(panel) };
  } finally {
    await panel.close();
  }
}

async function open(panel: WebviewPage, session: SessionView): Promise<Omit<Opening, 'keystrokeMs'>> {
  const message = {
    type: 'snapshot',
    seq: 1,
    panel: { ...readyPanel, activeSessionId: session.sessionId },
    session,
    draft: '',
  };
  // Parsed before the clock starts: in VS Code the message arrives as an object.
  await panel.page.evaluate(
    (json) => Object.assign(window, { message: JSON.parse(json) as unknown }),
    JSON.stringify(message),
  );
  return panel.page.evaluate(async () => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ type: 'longtask' });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    window.postMessage((window as unknown as { message: unknown }).message, '*');
    const lastRow = () => [...document.querySelectorAll('.item')].at(-1);
    while (!lastRow()?.querySelector('.markdown:not(.markdown-plain)')) await frame();
    await frame();
    await frame();
    const openMs = performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return { openMs, longestTaskMs: Math.max(0, ...tasks), rows: document.querySelectorAll('.item').length };
  });
}

/** The median work of a keystroke, up to the new layout of the page. */
async function typeInto(panel: WebviewPage): Promise<number> {
  return panel.page.evaluate(async (count) => {
    const field = document.querySelector('textarea');
    if (field === null) throw new Error('There is no field for messages.');
    field.focus();
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const start = performance.now();
      field.value += 'x';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // Rendering runs in microtasks.
      await Promise.resolve();
      await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
      document.body.getBoundingClientRect();
      times.push(performance.now() - start);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.toSorted((one, other) => one - other)[Math.floor(count / 2)] ?? 0;
  }, KEYSTROKES);
}
