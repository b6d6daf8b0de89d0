import { open } from 'node:fs/promises';
import { parseEntry } from '../../sdk/session/entries';

/** Enough for most last entries; a longer one takes reading the whole file. */
const TAIL_BYTES = 64 * 1024;

/**
 * When the last entry of a session file that can be read was written, in milliseconds since the epoch; `undefined` when
 * there is none. A torn end is passed over. Other than the file's own time, this is not changed by copying or renaming.
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
    // Half a line, at either end of what was read.
    return undefined;
  }
}
