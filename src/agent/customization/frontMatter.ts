/** A Markdown file with its front matter apart. */
export interface FrontMatter {
  /** The texts at its top level. Lists and maps are left out. The first of two of the same name counts. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Longer front matter is no front matter. */
const MAX_CHARACTERS = 16_000;

/**
 * Reads the front matter of a file that anybody may have written. Understands the part of YAML that names and descriptions
 * are written in: texts, quoted, over several lines or as a block. Everything else in it is ignored. Never throws.
 */
export function readFrontMatter(file: string): FrontMatter {
  const text = file.replace(/^\uFEFF/, '');
  const none = { fields: new Map<string, string>(), body: text };
  if (!/^---[ \t]*\r?\n/.test(text)) return none;
  const lines = text.slice(0, MAX_CHARACTERS).split('\n');
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) return none;
  const length = lines.slice(0, end + 1).reduce((sum, line) => sum + line.length + 1, 0);
  return { fields: readFields(lines.slice(1, end).map((line) => line.trimEnd())), body: text.slice(length) };
}

function readFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let index = 0; index < lines.length;) {
    const [, name, first = ''] = /^([A-Za-z][\w-]{0,60}):(?:[ \t]+(.*))?$/.exec(lines[index]!) ?? [];
    index += 1;
    const more: string[] = [];
    while (index < lines.length && /^(?:[ \t]|$)/.test(lines[index]!)) more.push(lines[index++]!.trim());
    const value = name === undefined ? undefined : readText(first.trim(), more);
    if (name !== undefined && value !== undefined && !fields.has(name)) fields.set(name, value);
  }
  return fields;
}

/** A text from its first line and the indented lines below it; `undefined`: it is no text. */
function readText(first: string, more: readonly string[]): string | undefined {
  if (/^[|>][-+\d]{0,2}(?:\s+#.*)?$/.test(first)) return more.join(first.startsWith('|') ? '\n' : ' ').trim();
  if (first === '' && /^[\w-]+:(?:\s|$)/.test(more.find((line) => line !== '') ?? '')) return undefined;
  const text = [first, ...more].filter((line) => line !== '').join(' ');
  if (text.startsWith('"')) return /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replace(/\\(.)/g, unescape);
  if (text.startsWith("'")) return /^'((?:[^']|'')*)'/.exec(text)?.[1]?.replaceAll("''", "'");
  if (text === '' || /^(?:[[{&*!%@`|>]|- )/.test(text)) return undefined;
  return text.replace(/(?:^|\s)#.*$/, '').trim();
}

function unescape(_whole: string, character: string): string {
  return character === 'n' ? '\n' : character === 't' ? '\t' : character;
}
