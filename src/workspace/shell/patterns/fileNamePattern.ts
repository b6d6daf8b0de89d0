/** A file pattern without a slash, such as `*.ts`: what one name must be made of, in this order. */
export type FileNamePattern = readonly PatternPiece[];

type PatternPiece =
  | { readonly kind: 'character'; readonly character: string }
  /** `?` */
  | { readonly kind: 'any' }
  /** `*` */
  | { readonly kind: 'many' }
  /** `[a-z]`. Ranges go by code point, as in the C locale. */
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly (readonly [string, string])[] };

/** Reads a part of a word. `wildcards`: the offsets in it of `*`, `?` and `[` that are no ordinary characters. */
export function readFileNamePattern(text: string, wildcards: ReadonlySet<number>): FileNamePattern {
  const pieces: PatternPiece[] = [];
  for (let index = 0; index < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    if (!wildcards.has(index)) {
      pieces.push({ kind: 'character', character });
      index += character.length;
    } else if (character === '[') {
      const end = text.indexOf(']', index);
      pieces.push(readSet(text.slice(index + 1, end)));
      index = end + 1;
    } else {
      pieces.push({ kind: character === '*' ? 'many' : 'any' });
      index += 1;
    }
  }
  return pieces;
}

function readSet(text: string): PatternPiece {
  const isNegated = text.startsWith('!');
  const ranges = [...text.slice(isNegated ? 1 : 0).matchAll(/(.)-(.)|(.)/g)].map(
    ([, first, last, only = '']) => [first ?? only, last ?? only] as const,
  );
  return { kind: 'set', isNegated, ranges };
}

/**
 * Whether a name matches, as in a POSIX shell: in this case, and a dot at the beginning only matches a dot. The work is the
 * product of both lengths at most.
 */
export function matchesFileName(pattern: FileNamePattern, name: string): boolean {
  const [first] = pattern;
  if (name.startsWith('.') && !(first?.kind === 'character' && first.character === '.')) return false;
  const characters = [...name];
  let at = 0;
  let piece = 0;
  /** After the last `*`: the piece behind it, and the first character that it leaves to that. */
  let retry: { readonly piece: number; readonly at: number } | undefined;
  while (at < characters.length) {
    const current = pattern[piece];
    if (current?.kind === 'many') {
      piece += 1;
      retry = { piece, at };
    } else if (current && matchesCharacter(current, characters[at] ?? '')) {
      piece += 1;
      at += 1;
    } else if (retry) {
      retry = { piece: retry.piece, at: retry.at + 1 };
      ({ piece, at } = retry);
    } else {
      return false;
    }
  }
  return pattern.slice(piece).every(({ kind }) => kind === 'many');
}

function matchesCharacter(piece: PatternPiece, character: string): boolean {
  switch (piece.kind) {
    case 'character':
      return piece.character === character;
    case 'any':
      return true;
    case 'set':
      return piece.ranges.some(([first, last]) => isBetween(character, first, last)) !== piece.isNegated;
    case 'many':
      return false;
  }
}

function isBetween(character: string, first: string, last: string): boolean {
  const [code, low, high] = [character, first, last].map((each) => each.codePointAt(0) ?? 0) as [
    number,
    number,
    number,
  ];
  return low <= code && code <= high;
}
