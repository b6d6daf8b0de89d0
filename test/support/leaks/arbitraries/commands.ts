import * as fc from 'fast-check';
import type { LeakCall } from '../leakCase';
import { pathText, targets } from './paths';
import type { UnaskedOption, UnaskedProgram } from './unaskedOptions';

const word = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);

/** Words that options take, and words that a program could take for a file. */
const VALUES = [
  '1',
  'auto',
  '.',
  'x',
  'TOKEN',
  'MODE=alpha',
  'one',
  '*',
  '1,9',
  'HEAD',
  'HEAD~1',
  'a.txt',
  'src',
  '%H',
  '+1',
];

const secretPath = word(...targets.secret, ...targets.other.filter((path) => !path.startsWith('/')));

/** Operands: a secret among them makes most commands ask, so most are ordinary. */
const operand = fc.oneof(
  {
    weight: 6,
    arbitrary: word('a.txt', 'README.md', 'src', 'src/main.ts', '.', 'table.csv', 'data.json', 'HEAD', 'HEAD~1'),
  },
  { weight: 2, arbitrary: word(...VALUES) },
  { weight: 2, arbitrary: secretPath },
  { weight: 1, arbitrary: pathText() },
);

/** An option of a program, as one or two words. */
export function optionWords({ option, forms }: UnaskedOption): fc.Arbitrary<readonly string[]> {
  const value = fc.oneof(word(...VALUES), secretPath);
  return fc.tuple(word(...forms), value).map(([form, text]) => {
    switch (form) {
      case 'next word':
        return [option, text];
      case 'same word':
        return [option + text];
      case 'after =':
        return [`${option}=${text}`];
      default:
        return [option];
    }
  });
}

function plainCall({ words, options }: UnaskedProgram): fc.Arbitrary<string> {
  const flag = options.length === 0 ? fc.constant([]) : fc.constantFrom(...options).chain(optionWords);
  return fc
    .tuple(fc.array(flag, { maxLength: 3 }), fc.array(operand, { maxLength: 3 }), fc.boolean(), fc.boolean())
    .chain(([flags, operands, isFlagsFirst, endsFlags]) => {
      const separator = endsFlags ? ['--'] : [];
      const all = isFlagsFirst
        ? [...flags.flat(), ...separator, ...operands]
        : [...operands.slice(0, 1), ...flags.flat(), ...operands.slice(1)];
      return fc
        .array(quoting, { minLength: all.length, maxLength: all.length })
        .map((quotings) => [...words, ...all.map((text, index) => quotings[index]!(text))].join(' '));
    });
}

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** A word as it is if a shell takes it literally, else in quotes. */
export const bare = (text: string): string => (/^[\w./:=@%+,~^-]+$/.test(text) ? text : single(text));

/** Ways to write a word. Most are right; the last ones are not. */
const quoting = fc.oneof(
  { weight: 12, arbitrary: fc.constant(bare) },
  { weight: 2, arbitrary: fc.constant(single) },
  { weight: 1, arbitrary: fc.constant((text: string) => `"${text.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"`) },
  { weight: 1, arbitrary: fc.constant((text: string) => text) },
  { weight: 1, arbitrary: fc.constant((text: string) => `${bare(text).slice(0, 3)}*`) },
);

/** The program may read them as files, or as text. */
const SECRETS = ['../outside/notes.txt', '.env'];

/**
 * Each option with each secret as its value, and each option without a value beside `-R`, where the program has one. `git
 * diff -U` once took no value, while the table gave it one.
 */
export function everyOption(programs: readonly UnaskedProgram[]): readonly string[] {
  return programs.flatMap(({ words, options }) => {
    const start = words.join(' ');
    const recursive = options.some(({ option }) => option === '-R') ? ['-R'] : [];
    return options.flatMap(({ option, forms }) =>
      forms.flatMap((form) => {
        if (form === 'alone') return [[start, ...recursive, option].join(' ')];
        const between = { 'next word': ' ', 'same word': '', 'after =': '=' }[form];
        return SECRETS.map((secret) => `${start} ${option}${between}${secret} a.txt`);
      }),
    );
  });
}

const JOINS = [' && ', '; ', ' | ', ' || ', '\n', ' & '];
const ENDS = ['', '', '', '', ' 2>&1', ' > /dev/null', ' > new.txt', ' < .env', ' # x', '\n', ';'];
const BEGINNINGS = [
  '',
  '',
  '',
  '',
  '',
  'cd src && ',
  'cd .. && ',
  'cd link-outside && ',
  'cd vendor && ',
  'X=1 ',
  'env ',
  '! ',
];

/** Commands made of what runs unasked, with attacks around it. */
export function commandCall(programs: readonly UnaskedProgram[]): fc.Arbitrary<LeakCall> {
  const call = fc.constantFrom(...programs).chain(plainCall);
  const command = fc
    .tuple(word(...BEGINNINGS), fc.array(call, { minLength: 1, maxLength: 2 }), word(...JOINS), word(...ENDS))
    .map(([beginning, calls, join, end]) => beginning + calls.join(join) + end);
  const cwd = fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: word('src', 'sub/inner', 'vendor', 'link-outside', '..', 'certs', 'link-ws') },
    { weight: 1, arbitrary: pathText() },
  );
  return fc
    .tuple(command, cwd, fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.boolean()))
    .map(([text, folder, background]): LeakCall => ({
      name: 'run_terminal_command',
      arguments: { command: text, ...(folder !== undefined && { cwd: folder }), ...(background && { background }) },
    }));
}
