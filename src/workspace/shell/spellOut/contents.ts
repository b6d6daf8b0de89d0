import type { PartJudgement } from '../judgeCommand';

/** They read files, and print names, numbers or sums. */
const NAMES_ONLY =
  /^(?:basename|dirname|du|fd|file|find|ls|md5sum|readlink|realpath|sha\d+sum|stat|test|tree|wc|\[\[?)$/;
/** Options with which grep, ripgrep and git print names only. */
const PRINTS_NAMES =
  /^(?:-[a-zA-Z]*[lLcq][a-zA-Z]*|--(?:files|files-with-matches|files-without-match|count|name-only|name-status|stat|quiet))$/;

/** Whether a call that only reads prints what is in files. */
export function showsContent({ argv, readOnly }: PartJudgement): boolean {
  const [name = '', ...args] = argv;
  if (!readOnly || NAMES_ONLY.test(name)) return false;
  if (/^(?:[ef]?grep|rg)$/.test(name) && args.some((arg) => PRINTS_NAMES.test(arg))) return false;
  if (readOnly.git) return readOnly.git.showsContent && !args.some((arg) => PRINTS_NAMES.test(arg));
  return readOnly.reads.length > 0;
}

/** They tell who and where the person is, which belongs into no other command. */
const OF_MACHINE = /^(?:arch|groups|hostname|id|tty|uname|whoami)$/;

/**
 * Whether calls have words that were the content of files where a file, a program or an option could be meant. Who writes such a file
 * would choose what is read. Numbers are harmless.
 */
export function namesContent(parts: readonly PartJudgement[], contents: ReadonlySet<string>): boolean {
  if (parts.some(({ argv }) => OF_MACHINE.test(argv[0] ?? ''))) return true;
  const words = [...contents].filter((word) => !/^\d*$/.test(word));
  if (words.length === 0) return false;
  return parts.some(({ argv, readOnly }) => {
    const opened = [argv[0] ?? '', ...argv.filter((word) => word.startsWith('-')), ...(readOnly?.reads ?? [])];
    return words.some((word) => opened.some((text) => text.includes(word)));
  });
}
