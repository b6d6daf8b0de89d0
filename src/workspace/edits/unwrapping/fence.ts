import { linesOf, textOf, trimBlankEnds } from '../lineEnds';
import type { TextEdit } from '../textEdit';

const FENCE = /^\s*(`{3,}|~{3,})[\w+#.:-]*\s*$/;

/** Without a code fence around the texts. */
export function withoutFence({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const old = trimBlankEnds(linesOf(oldText));
  if (!isFenced(old) || old.length < 3) return [];
  const inner = textOf(old.slice(1, -1));
  const fresh = trimBlankEnds(linesOf(newText));
  if (!isFenced(fresh)) {
    return fresh.some((line) => /^\s*(?:`{3}|~{3})/.test(line)) ? [] : [{ oldText: inner, newText }];
  }
  // The edit changes the fence, so it is part of the text.
  if (fresh[0]?.trim() !== old[0]?.trim()) return [];
  return [{ oldText: inner, newText: textOf(fresh.slice(1, -1)) }];
}

/** Whether a line begins or ends a code fence. */
export function isFenceLine(line: string): boolean {
  return /^\s*(?:`{3,}[^`]*|~{3,}.*)$/.test(line);
}

function isFenced(lines: readonly string[]): boolean {
  const fence = FENCE.exec(lines[0] ?? '')?.[1];
  return fence !== undefined && lines.length >= 2 && lines.at(-1)?.trim() === fence;
}
