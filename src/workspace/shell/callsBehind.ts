import { programName } from './commandRules';
import { splitGitOptions } from './dangers/gitDanger';

/**
 * The calls that a call stands for: those behind `timeout 5`, and those of git without some of its own options, such as
 * `-C folder`. Restricting rules hold for these too. May be too many, as none of them is allowed by it.
 */
export function callsBehind([first = '', ...words]: readonly string[]): readonly (readonly string[])[] {
  switch (programName(first)) {
    case 'timeout': {
      const call = words.slice(lengthOfTime(words));
      return call.length === 0 ? [] : [call, ...callsBehind(call)];
    }
    case 'git': {
      const { options, rest } = splitGitOptions(words);
      if (options.length === 0) return [];
      const single = options.length === 1 ? [] : options.map((option) => [first, ...option, ...rest]);
      return [[first, ...rest], ...single];
    }
    default:
      return [];
  }
}

/** How many words are options and the time. */
function lengthOfTime(words: readonly string[]): number {
  let index = 0;
  while (words[index]?.startsWith('-') === true)
    index += /^(?:-[a-z]*[ks]|--signal|--kill-after)$/.test(words[index] ?? '') ? 2 : 1;
  return index + 1;
}
