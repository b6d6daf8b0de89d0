import { visibleText } from '../../util/visibleText';

/**
 * Makes control characters visible that could move the cursor, rewrite the screen or reach the clipboard. A carriage return
 * becomes a line feed. Keeps everything else, with the marks of right-to-left text.
 */
export function safeTerminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, (character) => visibleText(character, 'path'));
}

// All controls but tab and line feed.
const CONTROL = /[^\P{Cc}\t\n]/gu;
