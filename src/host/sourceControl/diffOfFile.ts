/**
 * What git wrote about one file, or `undefined`: it wrote about other files too, or in a form that cannot be checked. Git takes
 * the name of a file for a pattern (`*`), and for everything below it where it is a folder in one of the two states. It shows
 * the files of submodules if its configuration says so.
 * `file`: the path in the repository, with slashes.
 */
export function diffOfFile(diff: string, file: string): string | undefined {
  const plain = diff.replaceAll(COLOUR, '');
  const headers = plain.match(HEADER) ?? [];
  const [header = ''] = headers;
  return headers.length === 1 && isHeaderOf(header, file) ? plain : undefined;
}

// eslint-disable-next-line no-control-regex -- colours are control sequences
const COLOUR = /\u001b\[[\d;]*[mK]/g;
/** Lines of files begin with a blank or a sign, so only git begins a line like this. */
const HEADER = /^diff --.*$/gm;
const PREFIX = String.raw`(?:[a-z]/)?`;

function isHeaderOf(header: string, file: string): boolean {
  const names = `${header.slice('diff --'.length)} `.replace(/^(?:git|cc|combined) /, '');
  const quoted = new RegExp(`^(?:${QUOTED}|[^" ]+) (?:${QUOTED}|[^" ]+) $|^${QUOTED} $`);
  const words = quoted.test(names) ? (names.match(new RegExp(`${QUOTED}|[^" ]+`, 'g')) ?? []).map(unquoted) : undefined;
  const isName = new RegExp(`^${PREFIX}${escaped(file)}$`);
  if (words) return words.every((word) => isName.test(word));
  // Names with blanks have no quotes.
  return new RegExp(`^(?:${PREFIX}${escaped(file)} ){1,2}$`).test(names);
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** A name as git quotes it: each byte that is not printable in octal digits. */
function unquoted(word: string): string {
  if (!word.startsWith('"')) return word;
  const bytes = word
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g, (_, octal?: string, escape?: string, text?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escape === undefined ? Buffer.from(text ?? '').toString('latin1') : (ESCAPES[escape] ?? escape);
    });
  return Buffer.from(bytes, 'latin1').toString();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
