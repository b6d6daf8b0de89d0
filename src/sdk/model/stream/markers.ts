/** The result of a search for markers in streamed text. */
export type MarkerMatch<M> =
  /** The marker is at `index` and ends at `end`. There is none before it. */
  | { readonly kind: 'found'; readonly marker: M; readonly index: number; readonly end: number }
  /** The text at `index` may become a marker with the next piece. */
  | { readonly kind: 'partial'; readonly index: number }
  | { readonly kind: 'none' };

/** Finds the first of several literal markers. */
export class Markers<M extends { readonly text: string }> {
  readonly #markers: readonly M[];
  /** The characters that a marker begins with. */
  readonly #first: RegExp;

  constructor(markers: readonly M[]) {
    this.#markers = markers;
    const characters = new Set(markers.map(({ text }) => text.charAt(0)));
    this.#first = new RegExp(`[${[...characters].join('').replace(/[\]\\^-]/g, String.raw`\$&`)}]`, 'g');
  }

  find(text: string, from: number): MarkerMatch<M> {
    this.#first.lastIndex = from;
    while (this.#first.test(text)) {
      const index = this.#first.lastIndex - 1;
      const rest = text.length - index;
      let isPartial = false;
      for (const marker of this.#markers) {
        if (text.startsWith(marker.text, index))
          return { kind: 'found', marker, index, end: index + marker.text.length };
        if (rest < marker.text.length && marker.text.startsWith(text.slice(index))) isPartial = true;
      }
      if (isPartial) return { kind: 'partial', index };
    }
    return { kind: 'none' };
  }
}
