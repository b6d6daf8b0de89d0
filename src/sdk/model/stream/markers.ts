/** The result of a search for markers in streamed text. */
export type MarkerMatch<M> =
  /** The marker is at `index` and ends at `end`. There is none before it. */
  | { readonly kind: 'found'; readonly marker: M; readonly index: number; readonly end: number }
  /** The text at `index` may become a marker with the next piece. */
  | { readonly kind: 'partial'; readonly index: number }
  | { readonly kind: 'none' };

/** Finds the first of several literal markers. Each begins with `<` or `[`. */
export function findMarker<M extends { readonly text: string }>(
  text: string,
  from: number,
  markers: readonly M[],
): MarkerMatch<M> {
  let angle = text.indexOf('<', from);
  let bracket = text.indexOf('[', from);
  while (angle !== -1 || bracket !== -1) {
    const index = bracket === -1 || (angle !== -1 && angle < bracket) ? angle : bracket;
    const rest = text.length - index;
    let isPartial = false;
    for (const marker of markers) {
      if (text.startsWith(marker.text, index)) return { kind: 'found', marker, index, end: index + marker.text.length };
      if (rest < marker.text.length && marker.text.startsWith(text.slice(index))) isPartial = true;
    }
    if (isPartial) return { kind: 'partial', index };
    if (index === angle) angle = text.indexOf('<', index + 1);
    else bracket = text.indexOf('[', index + 1);
  }
  return { kind: 'none' };
}
