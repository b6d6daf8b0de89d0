import type { TextEdit } from '../textEdit';

/** Without quotation marks around the texts. Texts that are JSON strings are decoded. */
export function withoutQuotationMarks({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const [oldJson, newJson] = [jsonOf(oldText), jsonOf(newText)];
  if (oldJson !== undefined) {
    if (newJson === undefined && newText.trim().startsWith('"')) return [];
    const edits = [{ oldText: oldJson, newText: newJson ?? newText }];
    // A new text without escaped marks may have quotation marks of its own, as the old text has.
    const mayBeText = newJson !== undefined && !newText.includes('\\"') && /^\s*"[^]*"\s*$/.test(oldJson);
    const inner = mayBeText ? jsonOf(oldJson) : undefined;
    const others = [oldJson, ...(inner === undefined ? [] : [inner])].map((oldOne) => ({ oldText: oldOne, newText }));
    return mayBeText ? [...edits, ...others] : edits;
  }
  const mark = MARKS.find((one) => innerOf(oldText, one) !== undefined);
  const old = mark && innerOf(oldText, mark);
  if (mark === undefined || old === undefined) return [];
  const fresh = innerOf(newText, mark);
  const hasOne = newText.trim().startsWith(mark) || newText.trim().endsWith(mark);
  // The new text may begin and end with quotation marks of its own.
  const isAlike =
    fresh !== undefined &&
    /^\s*/.exec(oldText)?.[0] === /^\s*/.exec(newText)?.[0] &&
    (fresh === '' || old.endsWith('\n') === fresh.endsWith('\n'));
  return hasOne && !isAlike ? [] : [{ oldText: old, newText: fresh ?? newText }];
}

const MARKS = ['"""', '"', "'", '`'];

function innerOf(text: string, mark: string): string | undefined {
  const body = text.trim();
  const isMarked = body.length > 2 * mark.length && body.startsWith(mark) && body.endsWith(mark);
  const inner = body.slice(mark.length, -mark.length);
  return isMarked && !inner.startsWith(mark) ? inner : undefined;
}

/** The text that a JSON string means. `undefined`: it is none. */
export function jsonOf(text: string): string | undefined {
  const body = text.trim();
  if (!/^"[^]*"$/.test(body)) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Not a JSON string.
    return undefined;
  }
}
