import type { CodeNavigation, CodeSymbol } from '../../src/workspace/codeNavigation';

/** Absolute paths by name; the same line for every file. */
export interface FakeNavigationOptions {
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly isReady?: boolean | undefined;
}

/**
 * A language server that takes each word after `function`, `class` or `const` for a symbol, knows all files, and takes every
 * place of a word for a reference. Protected and outside files too.
 */
export function fakeNavigation({ files = {}, isReady = true }: FakeNavigationOptions = {}): CodeNavigation {
  const symbolsIn = (path: string): readonly CodeSymbol[] =>
    (files[path] ?? '').split('\n').flatMap((text, index) =>
      [...text.matchAll(/\b(function|class|const|[A-Z]+(?==))\s*(\w*)/g)].map((match): CodeSymbol => {
        const name = match[2] === '' ? match[1]! : match[2]!;
        return { path, line: index + 1, character: match.index, name, kind: match[1]!.toLowerCase() };
      }),
    );
  const all = Object.keys(files).flatMap(symbolsIn);
  const wordAt = (path: string, line: number, character: number): string =>
    /^\w*/.exec((files[path] ?? '').split('\n')[line - 1]?.slice(character) ?? '')?.[0] ?? '';
  const placesOf = (word: string) =>
    Object.entries(files).flatMap(([path, text]) =>
      text.split('\n').flatMap((content, index) => {
        const character = word === '' ? -1 : content.search(new RegExp(`\\b${word}\\b`));
        return character < 0 ? [] : [{ path, line: index + 1, character }];
      }),
    );
  return {
    isReady: async () => isReady,
    load: async () => {},
    findSymbols: async (name) => all.filter((symbol) => symbol.name.includes(name)),
    symbolsOf: async (path) => symbolsIn(path),
    async related(relation, { path, line, character }) {
      const word = wordAt(path, line, character);
      const declared = all.filter(({ name }) => name === word);
      const here = declared.filter((symbol) => symbol.path === path);
      if (relation === 'definition') return here.length > 0 ? here : declared;
      if (relation === 'supertypes' || relation === 'subtypes') return [];
      const places = placesOf(word);
      const isDeclared = (place: (typeof places)[number]): boolean =>
        declared.some((symbol) => symbol.path === place.path && symbol.line === place.line);
      return relation === 'references' ? places : places.filter((place) => !isDeclared(place));
    },
    async rename({ path, line, character }, newName) {
      const word = wordAt(path, line, character);
      const changed = Object.entries(files).map(([file, text]) => ({
        path: file,
        text,
        changes: text.split('\n').flatMap((content, index) =>
          [...content.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map((match) => ({
            startLine: index + 1,
            startCharacter: match.index,
            endLine: index + 1,
            endCharacter: match.index + word.length,
            text: newName,
          })),
        ),
      }));
      return { ok: true, files: changed.filter(({ changes }) => changes.length > 0) };
    },
    hover: async ({ path, line }) => `\`\`\`ts\n${(files[path] ?? '').split('\n')[line - 1] ?? ''}\n\`\`\``,
  };
}
