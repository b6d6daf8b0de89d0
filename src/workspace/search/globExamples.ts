import { expandAlternatives } from './globs';
import { matchesCharacter, parsePattern, type IgnorePattern } from './ignorePattern';

/** What `*` and `?` stand for in examples. Several, because another part of the glob may leave one out. */
const FILLERS = ['a', 'z', '7', 'qzv'];
const CHARACTERS = [...'azqv079_- *?[]{}!#~\\é'];

/**
 * Files that each alternative of a glob matches on its own, as paths below a folder. Empty: an alternative can match no file,
 * because no path has such a part. Alternatives with `!` in front may leave out an example of another one. Throws
 * `GlobLimitError`.
 */
export function findExamples(glob: string): readonly string[] {
  const examples = expandAlternatives(glob).map(examplesOf);
  return examples.every((paths) => paths.length > 0) ? examples.flat() : [];
}

function examplesOf(alternative: string): readonly string[] {
  const pattern = parsePattern(alternative);
  if (!pattern) return [];
  return FILLERS.flatMap((filler) => exampleOf(pattern, filler) ?? []);
}

function exampleOf({ segments, isForFoldersOnly }: IgnorePattern, filler: string): string | undefined {
  const names: string[] = [];
  for (const segment of segments) {
    // Any number of folders can be none.
    if (typeof segment === 'string') continue;
    const name = nameFor(segment, filler);
    if (name === undefined) return undefined;
    names.push(name);
  }
  return [...names, ...(isForFoldersOnly ? [filler] : [])].join('/');
}

type NamePattern = Exclude<IgnorePattern['segments'][number], string>;

/** A name of a file or folder that matches; `undefined`: there is none. */
function nameFor(segment: NamePattern, filler: string): string | undefined {
  return [segment.some(({ kind }) => kind === 'any number') ? filler : '', '']
    .map((stars) => {
      const characters = segment.map((part) => {
        if (part.kind === 'any number') return stars;
        if (part.kind === 'literal') return part.character;
        const ends = part.kind === 'brackets' ? part.ranges.flat() : [];
        // A dot only where nothing else fits: no name is made of dots alone.
        const candidates = [...filler, ...CHARACTERS, ...ends.filter((end) => end !== '.'), '.'];
        return candidates.find((character) => isInNames(character) && matchesCharacter(part, character));
      });
      return characters.includes(undefined) ? '' : characters.join('');
    })
    .find((name) => isInNames(name) && !/^\.{0,2}$/.test(name));
}

function isInNames(text: string): boolean {
  return !/[/\p{Cc}]/u.test(text);
}
