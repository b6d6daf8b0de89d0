import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { PinStore } from '../../mcp/consent';
import type { DraftRecords } from '../../workspace/node/files/draftRecords';
import { writeDataFile } from './dataFile';

const Pins = z.record(
  z.string(),
  z.object({ hash: z.string(), description: z.string(), isRefused: z.boolean().optional() }),
);

/** Keeps the allowed MCP servers in a file. Rejects when the file cannot be read, so that no server counts as allowed. */
export function createPinFile(file: string, drafts: DraftRecords): PinStore {
  const read = async (): Promise<z.infer<typeof Pins>> => {
    let text;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    try {
      return Pins.parse(JSON.parse(text));
    } catch (cause) {
      throw new Error(`${file} cannot be read. Delete it to be asked about every server again.`, { cause });
    }
  };
  return {
    get: async (server) => {
      const pins = await read();
      return Object.hasOwn(pins, server) ? pins[server] : undefined;
    },
    set: async (server, pin) => {
      await writeDataFile(file, { ...(await read()), [server]: pin }, drafts);
    },
  };
}
