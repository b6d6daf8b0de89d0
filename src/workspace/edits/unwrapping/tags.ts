import type { TextEdit } from '../textEdit';

const NAME =
  '(?:(?:old|new)(?:_?(?:text|str|string|code|content))?|search|replace(?:ment)?|find|original|updated|before|after|source|snippet|' +
  'code|content|text|block|edit|parameter|diff)';
const OPENING = new RegExp(`^\\s*<(${NAME})(?: [^<>\\n]*)?>`, 'i');
const LINE_END = /^\s*\n/;
const CDATA = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/;

/** Without an XML tag or a CDATA section around the texts. */
export function withoutTags({ oldText, newText }: TextEdit): readonly TextEdit[] {
  const old = innerOf(oldText);
  if (old === undefined) return [];
  const fresh = innerOf(newText);
  if (fresh === undefined && hasMarks(newText)) return [];
  // A newline after one of the tags may be a blank line of the text.
  const edits = [old, withoutFirstLineEnd(old)].map((text, index) => ({
    oldText: text,
    newText: fresh === undefined ? newText : index === 0 ? fresh : withoutFirstLineEnd(fresh),
  }));
  const [withLineEnd, without] = edits;
  const isTwofold = withLineEnd?.oldText !== without?.oldText || withLineEnd?.newText !== without?.newText;
  const hasLineEnd = LINE_END.test(fresh ?? newText) || (fresh !== undefined && LINE_END.test(old));
  return hasLineEnd && isTwofold ? edits : edits.slice(1);
}

/** The text in an XML tag or a CDATA section around it. `undefined`: it is in none. */
export function innerOf(text: string): string | undefined {
  const cdata = CDATA.exec(text)?.[1];
  if (cdata !== undefined) return cdata;
  const [opening, name] = OPENING.exec(text) ?? [];
  const closing = `</${name}>`;
  const body = text.trimEnd();
  if (opening === undefined || !body.endsWith(closing) || body.length < opening.length + closing.length)
    return undefined;
  return body.slice(opening.length, -closing.length);
}

function withoutFirstLineEnd(text: string): string {
  return text.replace(/^[ \t]*\r?\n/, '');
}

function hasMarks(text: string): boolean {
  const body = text.trimEnd();
  return (
    OPENING.test(text) ||
    text.includes('<![CDATA[') ||
    new RegExp(`</${NAME}>$`, 'i').test(body) ||
    body.endsWith(']]>')
  );
}
