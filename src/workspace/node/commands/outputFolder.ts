import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { CommandOutputs } from '../../ports';
import { cleanTerminalText } from '../../terminalLines';
import { createNodeFileSystem } from '../files/nodeFileSystem';
import { unlessMissing } from '../files/unlessMissing';

export interface OutputLimits {
  /** The end of a longer output is not stored. */
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** Milliseconds. */
  readonly maxAgeMs: number;
}

const USUAL_LIMITS: OutputLimits = {
  maxFileBytes: 10_000_000,
  maxTotalBytes: 100_000_000,
  maxAgeMs: 7 * 24 * 60 * 60 * 1000,
};

/** Stores one output. Its methods never throw: if the disk is full, the rest is lost and the command continues. */
export interface OutputWriter {
  /** `output:…` */
  readonly id: string;
  write(text: string): void;
  end(): void;
}

export interface OutputFolder extends CommandOutputs {
  /** `undefined` if nothing can be stored. */
  open(): OutputWriter | undefined;
  /** The file of an output; `undefined` if `id` is not the name of an output. */
  fileOf(id: string): string | undefined;
  /** Removes old outputs, then the oldest until the total size fits. */
  prune(nowMs: number): Promise<void>;
}

/** Stores each command's output in a file, as lines without colours. Only the person may read the files. */
export function createOutputFolder(folder: string, limits: OutputLimits = USUAL_LIMITS): OutputFolder {
  const files = createNodeFileSystem();
  const fileOf = (id: string): string | undefined => {
    const name = /^output:([0-9a-f]{8})$/.exec(id)?.[1];
    return name === undefined ? undefined : path.join(folder, `${name}.txt`);
  };
  const existing = (id: string): string => {
    const file = fileOf(id);
    if (file === undefined) throw new Error(`${id} is not the name of an output.`);
    return file;
  };
  return {
    fileOf,
    open() {
      const name = randomBytes(4).toString('hex');
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path.join(folder, `${name}.txt`), '', { mode: 0o600, flag: 'wx' });
      } catch {
        // The disk is full, or the folder belongs to somebody else.
        return undefined;
      }
      return createWriter(`output:${name}`, path.join(folder, `${name}.txt`), limits.maxFileBytes);
    },
    stat: (id) => files.stat(existing(id)),
    readSlice: (id, offset, maxBytes) => files.readSlice(existing(id), offset, maxBytes),
    openText: (id) => files.openText(existing(id)),
    prune: (nowMs) => prune(folder, limits, nowMs),
  };
}

/** An unfinished line is written when it is this long. */
const MAX_LINE = 64_000;

function createWriter(id: string, file: string, maxBytes: number): OutputWriter {
  let line = '';
  let bytes = 0;
  let isClosed = false;
  const put = (text: string): void => {
    if (isClosed || text === '') return;
    const room = maxBytes - bytes;
    const buffer = Buffer.from(cleanTerminalText(text).replaceAll('\0', '\n'));
    bytes += buffer.byteLength;
    isClosed = buffer.byteLength > room;
    try {
      appendFileSync(file, isClosed ? Buffer.concat([cutAt(buffer, room), CUT]) : buffer);
    } catch {
      // The disk is full. The part that was stored can still be read.
      isClosed = true;
    }
  };
  return {
    id,
    write(text) {
      const end = text.lastIndexOf('\n') + 1;
      if (end > 0) {
        put(line + text.slice(0, end));
        line = text.slice(end);
      } else line += text;
      if (line.length > MAX_LINE) {
        put(line);
        line = '';
      }
    },
    end() {
      put(line);
      line = '';
      isClosed = true;
    },
  };
}

const CUT = Buffer.from('\n[The rest was not stored.]\n');

/** Does not cut within a character. */
function cutAt(buffer: Buffer, length: number): Buffer {
  let end = length;
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end--;
  return buffer.subarray(0, end);
}

async function prune(folder: string, { maxTotalBytes, maxAgeMs }: OutputLimits, nowMs: number): Promise<void> {
  const found: { readonly file: string; readonly size: number; readonly usedMs: number }[] = [];
  for (const name of (await unlessMissing(fs.readdir(folder))) ?? []) {
    const file = path.join(folder, name);
    // Another window may have pruned it just now.
    const stats = await unlessMissing(fs.stat(file));
    if (stats) found.push({ file, size: stats.size, usedMs: stats.mtimeMs });
  }
  let bytes = 0;
  for (const { file, size, usedMs } of found.sort((a, b) => b.usedMs - a.usedMs)) {
    bytes += size;
    if (bytes > maxTotalBytes || nowMs - usedMs > maxAgeMs) await fs.rm(file, { force: true });
  }
}
