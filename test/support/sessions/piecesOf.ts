/** A file that is read in pieces of at most `size` bytes. */
export function piecesOf(contents: string | Uint8Array, size = 64): () => AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(contents);
  return async function* () {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  };
}
