import { Icon } from '../controls/Icon';
import { h, render } from 'preact';
import { hasHiddenCharacters, markHiddenCharacters } from './markHidden';

/** Adds the language's name and a Copy button to each code block below `root`, and colours the complete ones. */
export function decorateCodeBlocks(root: Element): void {
  for (const code of root.querySelectorAll<HTMLElement>('pre > code')) {
    const pre = code.parentElement;
    if (pre === null) continue;
    const box = document.createElement('div');
    box.className = 'code-block';
    pre.replaceWith(box);
    box.append(header(code), pre);
    if (code.dataset['open'] === undefined) void highlight(code);
  }
}

/** Appends to the text of an open code block. Returns false when the new text does not continue the old one. */
export function growOpenCode(root: Element, text: string): boolean {
  const code = root.querySelector<HTMLElement>('pre > code[data-open]');
  const node = code?.firstChild;
  if (!(node instanceof Text) || !text.startsWith(node.data) || hasHiddenCharacters(text, 'code')) return false;
  node.appendData(text.slice(node.data.length));
  return true;
}

async function highlight(code: HTMLElement): Promise<void> {
  const language = code.dataset['lang'] ?? '';
  if (language === '') return;
  const { highlightCode } = await import('./highlightCode');
  // Each block of code in a task of its own, when nothing else waits.
  await idle();
  if (!code.isConnected) return;
  const coloured = highlightCode(code.textContent, language.toLowerCase());
  if (coloured === undefined) return;
  code.replaceChildren(coloured);
  markHiddenCharacters(code);
}

function header(code: HTMLElement): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'code-header';
  const label = document.createElement('span');
  label.className = 'code-language';
  label.textContent = code.dataset['lang'] ?? '';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  showCopied(button, undefined);
  button.addEventListener('click', () => void copy(code, button));
  bar.append(label, button);
  return bar;
}

/** Resolves when the page has nothing else to do. Safari, which can show a remote VS Code, does not tell. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(resolve, { timeout: 2_000 });
    else setTimeout(resolve);
  });
}

async function copy(code: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(code.textContent).then(
    () => true,
    () => false,
  );
  showCopied(button, isCopied);
  button.addEventListener('blur', () => showCopied(button, undefined), { once: true });
  button.addEventListener('pointerleave', () => showCopied(button, undefined), { once: true });
}

function showCopied(button: HTMLButtonElement, isCopied: boolean | undefined): void {
  const label = isCopied === undefined ? 'Copy code' : isCopied ? 'Copied' : 'Copying failed';
  button.title = label;
  button.setAttribute('aria-label', label);
  render(h(Icon, { name: isCopied === undefined ? 'copy' : isCopied ? 'check' : 'warning' }), button);
}
