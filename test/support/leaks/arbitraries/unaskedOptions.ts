import { spawnSync } from 'node:child_process';
import { gitProfile } from '../../../../src/workspace/shell/allowedUnasked/gitProfile';
import { posixProfiles } from '../../../../src/workspace/shell/allowedUnasked/posixProfiles';

/** How an option gets its value, if any. */
type Form = 'alone' | 'next word' | 'same word' | 'after =';

/** An option that a program may have without a question. */
export interface UnaskedOption {
  readonly option: string;
  readonly forms: readonly Form[];
}

export interface UnaskedProgram {
  /** `git diff` is one program. */
  readonly words: readonly string[];
  readonly options: readonly UnaskedOption[];
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].map((letter) => `-${letter}`);
const VALUES = ['1', '.', 'a.txt', 'x', 'auto'];

/**
 * Every option that the tables of unasked commands accept, found by trying: each letter, and each long option that a program
 * of this machine names. So a new table, or a new option, is covered by itself.
 */
export function findUnaskedPrograms(): readonly UnaskedProgram[] {
  const plain = Object.entries(posixProfiles).map(([name, profile]) => ({
    words: [name],
    options: optionsOf(
      [...LETTERS, ...optionsIn(outputOf(name, '--help'))],
      (args) => typeof profile(args) !== 'string',
    ),
  }));
  const subcommands = outputOf('git', '--list-cmds=main')
    .split('\n')
    .filter((name) => /^[a-z-]+$/.test(name) && typeof gitProfile([name]) !== 'string');
  // Subcommands share options, and not each names all of them.
  const ofGit = subcommands.flatMap((name) => optionsIn(outputOf('git', name, '--git-completion-helper-all')));
  const git = subcommands.map((name) => ({
    words: ['git', name],
    options: optionsOf([...LETTERS, ...ofGit], (args) => typeof gitProfile([name, ...args]) !== 'string'),
  }));
  return [...plain, ...git];
}

function optionsOf(
  candidates: readonly string[],
  isUnasked: (args: readonly string[]) => boolean,
): readonly UnaskedOption[] {
  return [...new Set(candidates)].flatMap((option): UnaskedOption[] => {
    const anyValue = (args: (value: string) => readonly string[]): boolean =>
      VALUES.some((value) => isUnasked(args(value)));
    const forms: Form[] = [];
    if (isUnasked([option]) || isUnasked([option, 'a.txt'])) forms.push('alone');
    // Whether it takes the next word, only the program knows.
    if (anyValue((value) => [option, value])) forms.push('next word');
    if (!option.startsWith('--') && anyValue((value) => [option + value])) forms.push('same word');
    if (option.startsWith('--') && anyValue((value) => [`${option}=${value}`])) forms.push('after =');
    return forms.length > 0 ? [{ option, forms }] : [];
  });
}

function optionsIn(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w-])(--?[A-Za-z][A-Za-z0-9-]*)/g)].map(([, option = '']) => option);
}

function outputOf(program: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000, input: '' });
  return `${stdout ?? ''}${stderr ?? ''}`;
}
