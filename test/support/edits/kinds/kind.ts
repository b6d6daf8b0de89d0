import type { TextEdit } from '../../../../src/workspace/edits/matchEdit';

/** One change of a file: some of its lines, without line ends, and the lines that replace them. */
export interface Change {
  readonly fileLines: readonly string[];
  /** Counts from 0. */
  readonly firstLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** What ends the texts of the model: a newline or nothing. */
  readonly end: string;
}

/**
 * `applied`: the file must become as meant. `guarded`: only a person can decide, so the edit must be refused or be a near
 * match; as meant is right too.
 */
export type Expectation = 'applied' | 'guarded';

/** A way in which models write an edit differently from the file. */
export interface Kind {
  readonly name: string;
  readonly expects: Expectation;
  /** The quote has other words than the file, so it may fit other lines better. */
  readonly isAltering?: boolean;
  /** The edits as the model writes them; `undefined` if this change has no place for the mistake. */
  readonly write: (change: Change, random: () => number) => readonly TextEdit[] | undefined;
}

type Role = 'old' | 'new';
type Rewrite = (text: string, role: Role) => string | undefined;

/** Writes lines as the model does without a mistake. */
export function textOf(lines: readonly string[], end: string): string {
  return lines.length === 0 ? '' : lines.join('\n') + end;
}

/** Two kinds: the mistake in both texts, and only in the old text. `make` draws what both texts share. */
export function textKinds(
  name: string,
  make: (random: () => number, change: Change) => Rewrite | undefined,
  options: Partial<Omit<Kind, 'name' | 'write'>> & { readonly sides?: readonly ('both' | 'old')[] } = {},
): readonly Kind[] {
  const { sides = ['both', 'old'], ...rest } = options;
  return sides.map((side): Kind => ({
    expects: 'applied',
    ...rest,
    name: `${name}, ${side === 'both' ? 'both texts' : 'old text only'}`,
    write: (change, random) => {
      const rewrite = make(random, change);
      if (!rewrite) return undefined;
      const right = { old: textOf(change.oldLines, change.end), new: textOf(change.newLines, change.end) };
      const oldText = rewrite(right.old, 'old');
      const newText = side === 'both' && right.new !== '' ? rewrite(right.new, 'new') : right.new;
      if (oldText === undefined || newText === undefined || oldText === right.old) return undefined;
      if (side === 'old' && hidesChange(oldText, change)) return undefined;
      return [{ oldText, newText }];
    },
  }));
}

/** Whether the mistake writes a line as the edit changes it, so that nothing shows the change. */
function hidesChange(oldText: string, { oldLines, newLines }: Change): boolean {
  return oldText.split('\n').some((line) => !isBlank(line) && newLines.includes(line) && !oldLines.includes(line));
}

export function lineKinds(
  name: string,
  make: (random: () => number, change: Change) => ((line: string, index: number, role: Role) => string) | undefined,
  options: Partial<Omit<Kind, 'name' | 'write'>> = {},
): readonly Kind[] {
  return textKinds(
    name,
    (random, change) => {
      const rewrite = make(random, change);
      return rewrite && ((text, role) => eachLine(text, (line, index) => rewrite(line, index, role)));
    },
    options,
  );
}

/** Rewrites each line and keeps the final newline. */
export function eachLine(text: string, rewrite: (line: string, index: number) => string): string {
  const isFinished = text.endsWith('\n');
  const lines = (isFinished ? text.slice(0, -1) : text).split('\n');
  return lines.map(rewrite).join('\n') + (isFinished ? '\n' : '');
}

export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The same answer for the same line, for about one line in `n`. */
export function isChosen(line: string, n: number): boolean {
  let hash = 7;
  for (let index = 0; index < line.length; index++) hash = (hash * 31 + line.charCodeAt(index)) | 0;
  return Math.abs(hash) % n === 0;
}

/** The indentation that all lines share. */
export function sharedIndentation(lines: readonly string[]): string {
  const all = lines.filter((line) => !isBlank(line)).map((line) => /^\s*/.exec(line)?.[0] ?? '');
  return all.reduce((a, b) => {
    let length = 0;
    while (length < a.length && a[length] === b[length]) length++;
    return a.slice(0, length);
  }, all[0] ?? '');
}
