import * as vscode from 'vscode';
import type { FileContent, FileContents } from '../../workspace/checkpoints/ports';
import { StaleFileError, TextDecodeError, type FileSystem } from '../../workspace/ports';
import { textIn } from '../../workspace/textEncoding';
import { uriOf } from '../workspace/uris';
import { orDescribed, readVirtual } from './virtualFiles';

/** The contents of virtual files. Text goes through `fileSystem`, which knows unsaved buffers. */
export function createVirtualContents(fileSystem: FileSystem): FileContents {
  async function read(file: string): Promise<FileContent | undefined> {
    const stat = await fileSystem.stat(file);
    if (stat?.kind !== 'file' || stat.isSymbolicLink) return undefined;
    const bytes = await fileSystem.openText(file).then(
      ({ text }) => new TextEncoder().encode(text),
      (error: unknown) => {
        if (error instanceof TextDecodeError) return readVirtual(file, stat);
        throw error;
      },
    );
    return { bytes, isExecutable: false };
  }

  async function assertUnchanged(file: string, expected: FileContent | undefined): Promise<void> {
    const now = await read(file);
    const isSame = now && expected ? Buffer.compare(now.bytes, expected.bytes) === 0 : now === expected;
    if (!isSame) throw new StaleFileError(`${uriOf(file).path} has changed.`);
  }

  return {
    read,

    async write(file, { bytes }, expected) {
      const text = textIn(bytes);
      const expectedText = expected === undefined ? null : textIn(expected.bytes);
      if (text !== undefined && expectedText !== undefined) {
        await fileSystem.writeText(file, text, expectedText);
        return;
      }
      await assertUnchanged(file, expected);
      await orDescribed(vscode.workspace.fs.writeFile(uriOf(file), bytes), file);
    },

    async remove(file, expected) {
      await assertUnchanged(file, expected);
      await orDescribed(vscode.workspace.fs.delete(uriOf(file)), file);
    },
  };
}
