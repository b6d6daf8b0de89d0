/**
 * The words by which a call of git rewrites history or discards changes; git's own options are left out. `undefined`:
 * it does neither.
 */
export function gitDanger([name, ...words]: readonly string[]): readonly string[] | undefined {
  if (name !== 'git') return undefined;
  const [command, ...rest] = words;
  if (command === undefined) return undefined;
  const rule = RULES[command];
  if (rule === undefined) return undefined;
  if (rule === true) return [name, command];
  const word = rest.find((one) => rule.test(one));
  return word === undefined ? undefined : [name, command, word];
}

/** True: each use. Else: uses with such a word. */
const RULES: Readonly<Record<string, RegExp | true>> = {
  push: /^(?:-[a-z]*[fd][a-z]*|--force.*|--mirror|--delete|--prune|\+.+|:.+)$/,
  rebase: true,
  'filter-branch': true,
  'filter-repo': true,
  reset: /^--(?:hard|merge|keep)$/,
  commit: /^--amend$/,
  clean: /^(?:-[a-zA-Z]*[fxX][a-zA-Z]*|--force)$/,
  checkout: /^(?:-f|--force|--|\.|-B)$/,
  switch: /^(?:-f|--force|--discard-changes|-C)$/,
  restore: true,
  branch: /^(?:-[a-z]*[DMf][a-z]*|--delete|--force|-d)$/,
  tag: /^(?:-d|--delete|-f|--force)$/,
  stash: /^(?:drop|clear)$/,
  reflog: /^(?:expire|delete)$/,
  'update-ref': true,
  gc: /^--prune/,
  prune: true,
  replace: true,
};

/** The command of git and its words, without git's own options before it. */
export function behindGitOptions(words: readonly string[]): readonly string[] {
  return splitGitOptions(words).rest;
}

/** `options`: git's own options before its command, each with its value. `rest`: the command and its words. */
export function splitGitOptions(words: readonly string[]): {
  readonly options: readonly (readonly string[])[];
  readonly rest: readonly string[];
} {
  const options: (readonly string[])[] = [];
  let index = 0;
  while (words[index]?.startsWith('-') === true) {
    const length = WITH_VALUE.test(words[index] ?? '') ? 2 : 1;
    options.push(words.slice(index, index + length));
    index += length;
  }
  return { options, rest: words.slice(index) };
}

const WITH_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
