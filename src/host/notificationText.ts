import { visibleText } from '../util/text/visibleText';

const MAX_LENGTH = 2_000;

/**
 * A safe text for a notification, with words of a model, server or file in it. VS Code turns `[text](address)` into
 * links, which may run commands; this text gets none. Hidden characters are shown by name.
 */
export function notificationText(text: string): string {
  const shown = visibleText(text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text, 'code');
  return shown.replaceAll(/\](?=\()/g, '] ');
}

/** A safe text for a quick pick, with foreign words in it. VS Code draws `$(name)` as an icon; this text gets none. */
export function pickText(text: string): string {
  return visibleText(text, 'path').replaceAll('$(', String.raw`\$(`);
}
