import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { FileContent, FileContents } from '../../checkpoints/ports';
import { StaleFileError, TextDecodeError, type FileSystem } from '../../ports';
import { textIn } from '../../textEncoding';
import { noDraftRecords, type DraftRecords } from '../files/draftRecords';
import { isSpelledSo } from '../files/isSpelledSo';
import { unlessMissing } from '../files/unlessMissing';
import { createFile, replaceFile } from '../files/replaceFile';

/** Files on disk. Reads and writes text through `fileSystem`, which knows unsaved buffers. */
export function createFileContents(fileSystem: FileSystem, drafts: DraftRecords = noDraftRecords): FileContents {
  const read = async (file: string): Promise<FileContent | undefined> => {
    const onDisk = await readFromDisk(file);
    if (!onDisk || !(await isSpelledSo(file))) return undefined;
    const text = await textOf(file);
    return text === undefined ? onDisk : { ...onDisk, bytes: encoder.encode(text) };
  };

  /** The text that the person sees; `undefined` if the file is not text. */
  async function textOf(file: string): Promise<string | undefined> {
    try {
      return (await fileSystem.openText(file)).text;
    } catch (error) {
      if (error instanceof TextDecodeError) return undefined;
      throw error;
    }
  }

  async function assertUnchanged(file: string, expected: FileContent | undefined): Promise<void> {
    const now = await read(file);
    const isSame = now && expected ? Buffer.compare(now.bytes, expected.bytes) === 0 : now === expected;
    if (!isSame) throw new StaleFileError(`${file} has changed.`);
  }

  return {
    read,

    async write(file, { bytes, isExecutable }, expected) {
      const text = textIn(bytes);
      const expectedText = expected === undefined ? null : textIn(expected.bytes);
      if (text !== undefined && expectedText !== undefined) {
        await fileSystem.writeText(file, text, expectedText);
      } else if (expected === undefined) {
        await fs.mkdir(path.dirname(file), { recursive: true });
        await createFile(file, bytes, drafts);
      } else {
        await replaceFile(file, bytes, () => assertUnchanged(file, expected), drafts);
      }
      await setExecutable(file, isExecutable);
    },

    async remove(file, expected) {
      await assertUnchanged(file, expected);
      await fs.unlink(file);
    },
  };
}

async function readFromDisk(file: string): Promise<FileContent | undefined> {
  const handle = await unlessMissing(fs.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return undefined;
    return { bytes: await handle.readFile(), isExecutable: (stats.mode & 0o111) !== 0 };
  } finally {
    await handle.close();
  }
}

/** As `chmod +x`: everybody who may read the file may run it. */
async function setExecutable(file: string, isExecutable: boolean): Promise<void> {
  const { mode } = await fs.stat(file);
  const wanted = isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
  if (((mode & 0o111) !== 0) !== isExecutable) await fs.chmod(file, wanted & 0o7777);
}

const encoder = new TextEncoder();
