// What `ollama pull` and `lms get` print, by their sources and documents, in the pieces in which they write it. These are stand-ins:
// neither program could be tried.

/** A pull of a model and its template. The bar is drawn over itself. */
export const ollamaPieces: readonly string[] = [
  '\u001B[?2026h\u001B[?25l\u001B[1Gpulling manifest ⠋ \u001B[K\u001B[?25h\u001B[?2026l',
  '\u001B[1Gpulling manifest \u001B[K\npulling 3291abe70f16:   0% ▕                  ▏',
  '\u001B[1Gpulling 3291abe70f16:  12% ▕██                ▏ 612 MB/5.2 GB   45 MB/s   1m42s\u001B[K',
  '\r\npulling 3291abe70f16: 100% ▕██████████████████▏ 5.2 GB                  \u001B[K',
  '\r\npulling ae370d884f10: 100% ▕██████████████████▏ 1.7 KB                  \u001B[K',
  '\r\nverifying sha256 digest \u001B[K\nwriting manifest \u001B[K\nsuccess \u001B[K\u001B[?25h\n',
];

/** A download of LM Studio. Each part of a line is written by itself. */
export const lmsPieces: readonly string[] = [
  'Searching for models with the term qwen3\n',
  ...['\u001B[?25l', '\u001B[s', '\u001B[2K', '\r⠋ [', '██████████            ', '] 45.28%'],
  ' | 1.20 GB / 2.65 GB | 35.20 MB/s | ETA 00:41',
  '          \u001B[u',
  ...['\u001B[?25l', '\u001B[s', '\r⠙ [', '███████████           ', '] 50.02%'],
  ' | 1.33 GB / 2.65 GB | 35.20 MB/s | ETA 00:37',
  '          \u001B[u',
  '\u001B[2K\u001B[1G\u001B[?25h',
  'Finalizing download...\nDownload completed. You can load the model with:\n\n    lms load qwen3-8b\n',
];

/** A script for Node that prints the pieces. */
export function printing(pieces: readonly string[], stream: 'stdout' | 'stderr'): string {
  return `for (const piece of ${JSON.stringify(pieces)}) process.${stream}.write(piece);\n`;
}
