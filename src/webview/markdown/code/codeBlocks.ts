import * as l10n from '../../../util/l10n';
import { Icon } from '../../controls/Icon';
import { h, render } from 'preact';
import { moveFocus } from '../../controls/moveFocus';
import { codeUses } from './codeActions';
import { hasHiddenCharacters, markHiddenCharacters } from '../markHidden';

/** Adds the language's name and buttons to each code block below `root`, and colours the complete ones. */
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
  label.textContent = code.dataset['path'] ?? code.dataset['lang'] ?? '';
  bar.append(label, toolbar(code));
  return bar;
}

/** One stop of the Tab key; the arrow keys go from button to button. */
function toolbar(code: HTMLElement): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'code-actions';
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', l10n.t('Code'));
  const copyButton = iconButton(0);
  showCopied(copyButton, undefined);
  copyButton.addEventListener('click', () => void copy(code, copyButton));
  bar.append(copyButton);
  // Code that still grows is not complete.
  if (code.dataset['open'] === undefined) bar.append(...codeUses().map(useButton));
  bar.addEventListener('keydown', (event) => {
    const key = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' }[event.key] ?? event.key;
    if (moveFocus(key, bar, 'button')) event.preventDefault();
  });
  return bar;
}

/** `applyCodeAt` listens for its click. */
function useButton({ use, label, icon }: ReturnType<typeof codeUses>[number]): HTMLButtonElement {
  const button = iconButton(-1);
  button.dataset['use'] = use;
  button.title = label;
  button.setAttribute('aria-label', label);
  render(h(Icon, { name: icon }), button);
  return button;
}

function iconButton(tabIndex: number): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.tabIndex = tabIndex;
  return button;
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
  const label = isCopied === undefined ? l10n.t('Copy Code') : isCopied ? l10n.t('Copied') : l10n.t('Copying failed');
  button.title = label;
  button.setAttribute('aria-label', label);
  render(h(Icon, { name: isCopied === undefined ? 'copy' : isCopied ? 'check' : 'warning' }), button);
}
