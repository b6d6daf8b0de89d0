import { visibleText } from '../util/visibleText';

const MAX_LENGTH = 2_000;

/**
 * A text for a notification of VS Code, with words in it that a model, a server or a file may have written. VS Code makes
 * links of `[text](address)`, which may run commands: here they stay text. Hidden characters are shown by name.
 */
export function notificationText(text: string): string {
  const shown = visibleText(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text, 'code');
  return shown.replaceAll(/\](?=\()/g, '] ');
}
