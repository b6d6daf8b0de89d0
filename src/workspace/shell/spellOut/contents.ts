import type { PartJudgement } from '../judgeCommand';

/** Programs that read files and print only names, numbers or sums. */
const NAMES_ONLY = /^(?:basename|dirname|du|fd|find|ls|md5sum|readlink|realpath|sha\d+sum|stat|test|tree|wc|\[\[?)$/;
/** Letters of options without a value, of grep and ripgrep. */
const LETTERS = 'EFGHILRchilnoqsvwx';
/** Options with which grep and ripgrep print names only. */
const PRINTS_NAMES = new RegExp(
  `^(?:-[${LETTERS}r]*[lLcq][${LETTERS}]*|--(?:files|files-with-matches|files-without-match|count|quiet))$`,
);
/** After such a word, the next word is no value of an option. */
const WITHOUT_VALUE = new RegExp(`^(?:[^-].*|-[${LETTERS}]+|--[a-z-]+=.*|--(?:ignore-case|recursive|fixed-strings))$`);
const GIT_PRINTS_NAMES = /^--(?:name-only|name-status|stat|numstat|shortstat|quiet)$/;
/** A field of a commit whose text a person wrote. Numbers and dates are none. */
const GIT_MESSAGE = /^--(?:format|pretty)=.*%(?![hHpPtTn%]|[ac][dtIrsi])/;

/** Whether a call that only reads prints what is in files. */
export function showsContent({ argv, readOnly }: PartJudgement): boolean {
  const [name = '', ...args] = argv;
  if (!readOnly || NAMES_ONLY.test(name)) return false;
  if (readOnly.git) {
    const isAboutNames = args.includes('diff') && args.some((arg) => GIT_PRINTS_NAMES.test(arg));
    const hasPatch = args.some((arg) => /^(?:-[pu]|--patch|-U|--unified)/.test(arg));
    return (readOnly.git.showsContent && (!isAboutNames || hasPatch)) || args.some((arg) => GIT_MESSAGE.test(arg));
  }
  const printsNames = args.some(
    (arg, index) => PRINTS_NAMES.test(arg) && (index === 0 || WITHOUT_VALUE.test(args[index - 1] ?? '')),
  );
  if (/^(?:[ef]?grep|rg)$/.test(name) && printsNames && !args.includes('--')) return false;
  return readOnly.reads.length > 0;
}

/** Programs that tell who the person is, and where. Their output may be part of no other command. */
const OF_MACHINE = /^(?:arch|groups|hostname|id|tty|uname|whoami)$/;

/**
 * Whether calls have words that were the content of files where a file, a program or an option could be meant. Who writes such a file
 * would choose what is read. Numbers are harmless.
 */
export function namesContent(parts: readonly PartJudgement[], contents: ReadonlySet<string>): boolean {
  if (parts.some(({ argv }) => OF_MACHINE.test(argv[0] ?? ''))) return true;
  const opened = parts.flatMap(({ argv, readOnly }) => [
    argv[0] ?? '',
    ...argv.filter((word) => word.startsWith('-')),
    ...(readOnly?.reads ?? []),
  ]);
  return includesContent(opened, contents);
}

/** Whether calls have such words anywhere, so that their output can be made of them. */
export function repeatsContent(parts: readonly PartJudgement[], contents: ReadonlySet<string>): boolean {
  return includesContent(
    parts.flatMap(({ argv }) => argv),
    contents,
  );
}

/** How many comparisons of characters are made. With more, all words count as content. */
const MAX_COMPARED = 20_000_000;

function includesContent(texts: readonly string[], contents: ReadonlySet<string>): boolean {
  const words = [...contents].filter((word) => !/^\d*$/.test(word));
  const text = [...new Set(texts)].join('\n');
  return words.length * text.length > MAX_COMPARED || words.some((word) => text.includes(word));
}

/** The words in the output of calls that show what is in files. */
export function wordsIn(output: string): readonly string[] {
  return output.split(/[\s\0]+/);
}
