import { open } from 'node:fs/promises';
import { MAX_LINE_BYTES } from '../../sdk/session/lineSplitter';
import { parseEntry } from '../../sdk/session/parseEntry';

/** Enough for most last entries. A longer one needs a longer part of the file. */
const TAILS_BYTES: readonly number[] = [64 * 1024, 4 * 1024 * 1024, MAX_LINE_BYTES + 1];

/**
 * The time of the last readable entry of a session's file, in milliseconds since the epoch; `undefined`: there is none.
 * Ignores a torn end. Copying or renaming a file changes the file's own time, but not this one.
 */
export async function lastEventMs(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    for (const tail of TAILS_BYTES) {
      const length = Math.min(tail, size);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
      for (const line of lines.reverse()) {
        const ts = timeOf(line);
        if (ts !== undefined) return ts;
      }
      if (length === size) break;
    }
    return undefined;
  } finally {
    await handle.close();
  }
}

function timeOf(line: string): number | undefined {
  try {
    const parsed = parseEntry(JSON.parse(line));
    return parsed.ok ? parsed.entry.ts : undefined;
  } catch {
    // Half a line, at either end of the part that was read.
    return undefined;
  }
}
