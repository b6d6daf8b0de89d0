import { open } from 'node:fs/promises';
import { parseEntry } from '../../sdk/session/entries';

/** Enough for most last entries; a longer one needs the whole file. */
const TAIL_BYTES = 64 * 1024;

/**
 * The time of the last readable entry of a session's file, in milliseconds since the epoch; `undefined`: there is none.
 * Ignores a torn end. Copying or renaming a file changes the file's own time, but not this one.
 */
export async function lastEventMs(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    for (const length of size > TAIL_BYTES ? [TAIL_BYTES, size] : [size]) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
      for (const line of lines.reverse()) {
        const ts = timeOf(line);
        if (ts !== undefined) return ts;
      }
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
