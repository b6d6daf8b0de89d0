import { gitTables } from '../../../src/workspace/shell/allowedUnasked/gitProfile';
import type { FlagTable } from '../../../src/workspace/shell/allowedUnasked/flags';
import { posixProfiles } from '../../../src/workspace/shell/allowedUnasked/posixProfiles';

/** A program with the words before its options, such as a subcommand. */
export interface Program {
  readonly words: readonly string[];
  readonly table: FlagTable;
}

/** Every program whose options are known; one of those with the same options. */
export const programs: readonly Program[] = [
  ...Object.entries(posixProfiles).map(([name, { table }]) => ({ words: [name], table: table ?? {} })),
  ...Object.entries(gitTables).map(([name, table]) => ({ words: ['git', ...name.split(' ')], table })),
].filter(({ table }, index, all) => {
  const isEmpty = Object.keys(table).length === 0;
  return isEmpty || all.findIndex((other) => other.table === table) === index;
});

export interface Places {
  /** Files and folders of the workspace. */
  readonly inside: readonly string[];
  /** Files and folders that no command may look at unasked. */
  readonly outside: readonly string[];
}

/**
 * Calls of a program with each of its options in every spelling: alone, in a cluster, long, abbreviated, with the value
 * in the same or the next word, before and after operands, and after `--`. Paths outside stand in every place where a
 * word could be read as one. One group for each spelling.
 */
export function generateCalls(
  { words, table }: Program,
  { inside, outside }: Places,
): readonly (readonly (readonly string[])[])[] {
  const options = spellings(table);
  const [file = '', folder = ''] = inside;
  const tails = [[], [file], [folder], ['x', folder], ['-5', file], ['5', folder], ['-1'], ['--', folder]];
  const alone = [[], [folder], [file, file], ['--', folder], ['x', file], ['x', folder]];
  const groups = options.map((option) => [
    ...outside.flatMap((there) => [
      ...[[there], ['5', there], ['x', there], ['-', there], ['--', there], [there, there]].flatMap((middle) => [
        [option, ...middle],
        [option, ...middle, file],
        [file, option, ...middle],
      ]),
      [`${option}=${there}`, file],
      [`${option}${there}`, file],
      [`${option}5`, there],
      [`${option}=5`, there],
      ['--', option, there],
      [file, '--', option, there],
      ['x', file, option, there],
    ]),
    ...tails.flatMap((tail) => [
      [option, ...tail],
      [...tail, option],
    ]),
    ...options.map((other) => [option, other, folder]),
  ]);
  return [alone, ...groups].map((group) => group.map((args) => [...words, ...args]));
}

/** Each option in its full form, abbreviated, and combined with a letter. */
function spellings({ short = '', long = '', values = {}, optional = {} }: FlagTable): readonly string[] {
  const names = [...Object.keys(values), ...Object.keys(optional), long].flatMap((text) => text.split(' '));
  const known = names.filter((name) => name !== '');
  const letters = [...short, ...known.filter((name) => name.length === 1)];
  const longNames = known.filter((name) => name.length > 1);
  const [first = ''] = short;
  return [
    ...letters.map((letter) => `-${letter}`),
    ...letters.filter((letter) => first !== '' && letter !== first).map((letter) => `-${first}${letter}`),
    ...longNames.map((name) => `--${name}`),
    ...longNames.map((name) => `--${name.slice(0, -1)}`),
  ];
}
