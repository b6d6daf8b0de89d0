import { visibleText } from '../../util/visibleText';

/**
 * Text for a terminal, with the control characters made visible that could move the cursor, rewrite what stands there
 * or reach the clipboard; a carriage return, which would overwrite its line, becomes a line feed. Everything else stays as it is, the marks of right-to-left text included.
 */
export function terminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROL, (character) => visibleText(character, 'path'));
}

// All controls but tab and line feed.
const CONTROL = /[^\P{Cc}\t\n]/gu;
