export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const BEFORE = String.raw`(?<![\w.-]|:\/\/[^\s|;&()<>'"]*)`;
const AFTER = String.raw`(?![\w-]|\.(?!(?:exe|cmd|bat)\b)\w)`;

/**
 * Splits a command around whole occurrences of the words. The parts together are the command. `sh` is no word of
 * `install.sh` or of an address; `rm` is one of `/bin/rm`.
 */
export function markedParts(text: string, words: readonly string[]): readonly MarkedPart[] {
  const known = [...new Set(words)].filter((word) => word !== '').sort((a, b) => b.length - a.length);
  if (known.length === 0) return [{ text, isMarked: false }];
  const escaped = known.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`${BEFORE}(${escaped.join('|')})${AFTER}`, 'gi');
  // Odd parts are what the group matched.
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
