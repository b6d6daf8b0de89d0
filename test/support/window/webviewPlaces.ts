import { selectors } from 'playwright-core';

/**
 * Finds webviews by the part of the window that they are over, as `webview-over=editor:PUBLISHER.NAME`, or `bars` for all other parts.
 * VS Code keeps all webviews in one place of the page, and leaves out the purpose in their address when they are shown again.
 */
const engine = `{
  query(root, selector) {
    return this.queryAll(root, selector)[0];
  },
  queryAll(root, selector) {
    const [part, extension] = selector.split(':');
    const editors = document.querySelector('.part.editor')?.getBoundingClientRect();
    if (!editors) return [];
    return [...root.querySelectorAll('iframe.webview[src*="extensionId=' + extension + '"]')].filter((frame) => {
      const { left, width } = frame.getBoundingClientRect();
      const middle = left + width / 2;
      return (middle > editors.left && middle < editors.right) === (part === 'editor');
    });
  },
}`;

let registered: Promise<void> | undefined;

/** Makes the selector known. To be called before a page is opened. */
export function registerWebviewPlaces(): Promise<void> {
  return (registered ??= selectors.register('webview-over', { content: `(${engine})` }));
}
