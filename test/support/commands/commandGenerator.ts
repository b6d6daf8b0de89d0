type Pick = <T>(choices: readonly T[]) => T;

/** Calls that rules or profiles allow. Commands are built around them. */
const CALLS: readonly (readonly string[])[] = [
  ['git', 'status'],
  ['git', 'status', '-sb'],
  ['npm', 'test'],
  ['npm', 'run', 'build'],
  ['fails', 'always'],
  ['ls'],
  ['ls', '-la'],
  ['cat', 'a'],
  ['head', '-5', 'a'],
  ['wc', '-l'],
  ['grep', '-n', 'foo', 'a'],
  ['open', 'x'],
];

/** Known attacks on command parsers, written unchanged into a command. */
const ATTACKS: readonly string[] = [
  ...[
    '; touch p',
    '& touch p',
    '&& touch p',
    '|| touch p',
    '| touch p',
    '|& touch p',
    '\ntouch p',
    '\r\ntouch p',
    '\rtouch p',
  ],
  ...[
    '$(touch p)',
    '`touch p`',
    '"$(touch p)"',
    '"`touch p`"',
    '"x$"(touch p)',
    '"$"{x:=`touch p`}',
    '"$""(touch p)"',
    '<(touch p)',
    '>(touch p)',
    '${x:=$(touch p)}',
    '$((x[$(touch p)]))',
  ],
  ...[
    '> p',
    '>p',
    '>> p',
    '&> p',
    '>| p',
    '1<> p',
    '2> p',
    '{fd}> p',
    '<<< "$(touch p)"',
    '<<E\n$(touch p)\nE',
    '2>&1 > p',
    '>/dev/null p',
  ],
  ...[
    "'; touch p; echo '",
    '"; touch p; echo "',
    "\\'; touch p; \\'",
    "'\\''; touch p; '",
    '\\"; touch p; "',
    "$'\\n'touch p",
    "$';touch p'",
    '$"; touch p"',
  ],
  ...[
    '{touch,p}',
    '*',
    '?',
    '[a-z]',
    '~',
    '~root',
    '$HOME',
    '${IFS}p',
    '!!',
    '!touch',
    '{1..3}',
    '@(p)',
    '# x',
    '#x\ntouch p',
    '\\\ntouch p',
  ],
  ...[
    '(touch p)',
    '{ touch p; }',
    '; f() { touch p; }; f',
    '; if touch p; then :; fi',
    '; eval touch p',
    '; . ./s',
    '; exec touch p',
    '; command touch p',
  ],
  ...[
    '; alias ls=touch',
    '; PATH=. ls',
    '; cd /; ls',
    '; printf -v "a[$(touch p)]" x',
    "; test -v 'a[$(touch p)]'",
    '; trap "touch p" EXIT',
    '&',
    ';;',
    ')',
    '(',
    "'",
    '"',
    '\\',
  ],
  ...[
    '\u200b',
    '\u202e',
    '\ufeff',
    '\u00a0',
    '\u3000',
    '\u2028',
    '\u0000',
    '\u0007',
    '\u001b[0m',
    '\ud800',
    '\uff1b touch p',
    '\u037e touch p',
    '\u0085touch p',
    '\u000btouch p',
  ],
];

/** Words that are harmless when read correctly. */
const WORDS: readonly string[] = [
  ...[
    'a',
    'src',
    '-x',
    '--y=z',
    'a b',
    '',
    '$x',
    '`x`',
    '*',
    '?',
    '[a]',
    '{a,b}',
    '~',
    '!',
    '#',
    ';',
    '&&',
    '||',
    '|',
    '>',
    '<',
    '(',
    ')',
    '&',
  ],
  ...[
    '$(touch p)',
    '; touch p',
    '> p',
    "'",
    '"',
    '\\',
    '\\n',
    '\\\\',
    "a'b",
    'a"b',
    'é',
    '日本',
    'ñ o',
    '%s',
    '%',
    '^',
    '@',
    '+',
    ',',
    ':',
    '=',
    'a=b',
    'HEAD~1',
  ],
  ...[
    'if',
    'then',
    'eval',
    'p',
    './x',
    '/x/y',
    '..',
    '.',
    '-',
    '--',
    '1',
    '-1',
    '2>&1',
    '\t',
    ' ',
    '!!',
    '<<E',
    '{}',
    '[',
    ']',
    '[[',
    ']]',
  ],
];

/** Writes a word in one of many ways that bash reads as exactly that word. */
function write(word: string, pick: Pick): string {
  if (word === '') return pick(["''", '""', "''''"]);
  let written = '';
  for (let index = 0; index < word.length;) {
    const length = pick([1, 2, 3, word.length]);
    written += writePiece(word.slice(index, index + length), pick);
    index += length;
  }
  return written;
}

function writePiece(piece: string, pick: Pick): string {
  const single = piece.includes("'") ? undefined : `'${piece}'`;
  const double = /[!]/.test(piece) ? undefined : `"${piece.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"`;
  const escaped = /[^\x20-\x7e]/.test(piece) ? undefined : piece.replaceAll(/[^A-Za-z0-9_./:=@%+,-]/g, String.raw`\$&`);
  const bareDollar = piece.length > 1 && double?.endsWith(String.raw`\$"`) ? double.replace(/\\\$"$/, '$"') : undefined;
  const ways = [single, double, bareDollar, escaped].filter((way) => way !== undefined);
  return ways.length > 0 ? pick(ways) : [...piece].map((character) => writePiece(character, pick)).join('');
}

/** Words with a fixed meaning, each written in one of many ways. */
export function generateWords(
  random: () => number,
  count: number,
): { readonly words: string[]; readonly written: string } {
  const pick: Pick = (choices) => choices[Math.floor(random() * choices.length)]!;
  const words = Array.from({ length: count }, () => pick(WORDS) + pick(['', '', ...WORDS]));
  return { words, written: words.map((word) => write(word, pick)).join(' ') };
}

const BLANKS: readonly string[] = [' ', ' ', ' ', '  ', '\t', ' \t '];
const OPERATORS: readonly string[] = [' && ', '&&', ' || ', '||', ' ; ', ';', ' | ', '|', '; '];
const REDIRECTS: readonly string[] = [' 2>&1', ' >/dev/null', ' > /dev/null 2>&1', ' 2>/dev/null', ' 1>&2'];

/** A command line around the rules: mostly allowed calls, some with an attack. */
export function generateCommand(random: () => number): string {
  const pick: Pick = (choices) => choices[Math.floor(random() * choices.length)]!;
  const isOneIn = (count: number): boolean => random() * count < 1;
  let command = '';
  for (let count = pick([1, 1, 1, 2, 2, 3, 5]); count > 0; count -= 1) {
    const [name = '', ...args] = pick(CALLS);
    const words = args.map((word) => (isOneIn(3) ? write(word, pick) : word));
    if (name === 'open') for (let more = pick([0, 1, 2, 4]); more > 0; more -= 1) words.push(write(pick(WORDS), pick));
    command += [isOneIn(60) ? write(name, pick) : name, ...words].join(pick(BLANKS));
    if (isOneIn(6)) command += pick(REDIRECTS);
    if (count > 1) command += pick(OPERATORS);
  }
  if (isOneIn(12)) command += pick([';', ' ', '\t', ' ;']);
  if (isOneIn(12)) command = pick([' ', '\t']) + command;
  for (let attacks = pick([0, 0, 1, 1, 2]); attacks > 0; attacks -= 1) {
    const at = isOneIn(2) ? command.length : Math.floor(random() * command.length);
    command = command.slice(0, at) + pick([' ', '']) + pick(ATTACKS) + command.slice(at);
  }
  return command;
}
