/** A loop over words, on one line: `for f in a b; do head -5 "$f"; done`. */
export interface Loop {
  readonly variable: string;
  /** As written. */
  readonly words: string;
  readonly body: string;
}

/** Each blank has one place in it, so the work grows only with the length. */
const HEAD = /^for[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]([^;&|<>()$`\n]+);[ \t]*do[ \t]/;
const MAX_LENGTH = 4000;

/** Reads a command that is one loop and nothing else. */
export function readLoop(command: string): Loop | undefined {
  if (command.length > MAX_LENGTH || command.trimEnd().includes('\n')) return undefined;
  const [head = '', variable = '', words = ''] = HEAD.exec(command) ?? [];
  const list = before('done', command);
  const body = list === undefined ? undefined : before(';', list)?.slice(head.length).trim();
  // An inner loop with this name would get the outer values.
  if (body !== undefined && new RegExp(String.raw`\bfor[ \t]+${variable}\b`).test(body)) return undefined;
  return head === '' || words.trim() === '' || !body ? undefined : { variable, words: words.trim(), body };
}

/** What comes before the last word, without the blanks between. */
function before(last: string, text: string): string | undefined {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(last) ? trimmed.slice(0, -last.length).trimEnd() : undefined;
}

/** The command in `( … )`. Each command has a shell of its own, so the group around all of it changes nothing. */
export function readGroup(command: string): string | undefined {
  return /^[ \t]*\(([^()\n]+)\)[ \t\n]*$/.exec(command)?.[1]?.trim();
}

/** Without quotes, blanks and patterns: the same word in and outside double quotes. */
const PLAIN_VALUE = /^[A-Za-z0-9_./][A-Za-z0-9_./+@%,-]*$/;
const MAX_VALUES = 40;

/**
 * The commands that a loop runs, one after the other. `undefined`: a value is not plain, or there are none or too many. The result is
 * judged and run in place of the loop, so a mistake here cannot allow anything.
 */
export function unrollLoop({ variable, body }: Loop, values: readonly string[]): string | undefined {
  if (values.length === 0 || values.length > MAX_VALUES || !values.every((value) => PLAIN_VALUE.test(value)))
    return undefined;
  return values.map((value) => replaceVariable(body, variable, value)).join('; ');
}

function replaceVariable(body: string, variable: string, value: string): string {
  const reference = new RegExp(String.raw`^\$(?:${variable}(?!\w)|\{${variable}\})`);
  let quote = '';
  let replaced = '';
  let index = 0;
  while (index < body.length) {
    const rest = body.slice(index);
    const found = quote === "'" ? undefined : (/^\\./.exec(rest)?.[0] ?? reference.exec(rest)?.[0]);
    const text = found ?? rest.charAt(0);
    if (text === quote) quote = '';
    else if (quote === '' && (text === "'" || text === '"')) quote = text;
    replaced += found?.startsWith('$') === true ? value : text;
    index += text.length;
  }
  return replaced;
}
