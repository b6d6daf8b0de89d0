import * as l10n from '../../../util/l10n';
import { hasHiddenCharacters } from '../markHidden';
import { MAX_BLOCK_FORMULA, texOf } from './mathSyntax';
import type * as math from './typesetMath';

/** Further formulas of a block stay as they were written. */
const MAX_FORMULAS = 300;
/** Formulas that are kept, so that a growing text shows them at once when it is drawn again. */
const MAX_KEPT = 500;
/** Work for one task of the page, in milliseconds. */
const SLICE_MS = 8;

/** `undefined`: it stays as it was written. */
const kept = new Map<string, DocumentFragment | undefined>();
let waiting: readonly HTMLElement[] = [];
let isWorking = false;

/**
 * Sets the formulas below `root`. New ones follow when the page has nothing else to do; the first ones load the code for
 * it. A formula that cannot be set, or has characters that do not show, stays as it was written.
 */
export function showMath(root: Element): void {
  const formulas = [...root.querySelectorAll<HTMLElement>('[data-math="written"]')].slice(0, MAX_FORMULAS);
  const unknown = formulas.filter((formula) => {
    if (!kept.has(keyOf(formula))) return true;
    show(formula, kept.get(keyOf(formula)));
    return false;
  });
  if (unknown.length === 0) return;
  waiting = [...waiting, ...unknown];
  if (isWorking) return;
  isWorking = true;
  work().catch(() => {
    // Without the code, formulas are shown as they were written. The next one tries again.
    waiting = [];
    isWorking = false;
  });
}

async function work(): Promise<void> {
  const { typeset } = await import('./typesetMath');
  while (waiting.length > 0) {
    await idle();
    const end = performance.now() + SLICE_MS;
    do {
      const [next, ...others] = waiting;
      waiting = others;
      if (next?.isConnected) show(next, typesetOnce(next, typeset));
    } while (waiting.length > 0 && performance.now() < end);
  }
  isWorking = false;
}

function typesetOnce(formula: HTMLElement, typeset: typeof math.typeset): DocumentFragment | undefined {
  const key = keyOf(formula);
  if (kept.has(key)) return kept.get(key);
  const written = formula.textContent;
  const isTooLong = written.length > MAX_BLOCK_FORMULA;
  const isPlain = isTooLong || hasHiddenCharacters(written, 'prose');
  const result = isPlain ? undefined : typeset(texOf(written), isBlock(formula));
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, result);
  return result;
}

function show(formula: HTMLElement, typeset: DocumentFragment | undefined): void {
  if (typeset === undefined) {
    formula.dataset['math'] = 'plain';
    return;
  }
  formula.title = formula.textContent;
  formula.dataset['math'] = 'set';
  if (isBlock(formula)) {
    // A wide one scrolls, also by keyboard.
    formula.tabIndex = 0;
    formula.setAttribute('role', 'group');
    formula.setAttribute('aria-label', l10n.t('Formula'));
  }
  formula.replaceChildren(typeset.cloneNode(true));
}

function keyOf(formula: HTMLElement): string {
  return `${isBlock(formula) ? 'block' : 'inline'} ${formula.textContent}`;
}

function isBlock(formula: HTMLElement): boolean {
  return formula.classList.contains('math-block');
}

/** Resolves when the page has nothing else to do. Safari, which can show a remote VS Code, does not tell. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout: 2_000 });
    else setTimeout(resolve);
  });
}
