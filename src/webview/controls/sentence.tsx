import type { ComponentChildren } from 'preact';

/** A translated sentence with elements at its placeholders: `{0}` stands for the first one, and so on. */
export function sentence(text: string, ...parts: readonly ComponentChildren[]): ComponentChildren {
  // Odd pieces are the numbers of placeholders.
  return text.split(/\{(\d+)\}/).map((piece, index) => <>{index % 2 === 1 ? parts[Number(piece)] : piece}</>);
}
