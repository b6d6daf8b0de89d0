import { visibleText } from '../../util/text/visibleText';

/**
 * Makes characters visible that could move the cursor, rewrite the screen, reach the clipboard, or hide or reorder text:
 * controls, and bidirectional, zero-width and tag characters. A carriage return becomes a line feed.
 */
export function safeTerminalText(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n'), 'prose');
}
