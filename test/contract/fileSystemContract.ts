import assert from 'node:assert/strict';
import path from 'node:path';
import type { FileSystem } from '../../src/workspace/ports';
import { StaleFileError, TextDecodeError } from '../../src/workspace/ports';

/** A file system to test, with the means to prepare it from outside. Paths are relative to `root`. */
export interface FileSystemUnderTest extends AsyncDisposable {
  readonly fileSystem: FileSystem;
  /** An absolute real path: an empty folder. */
  readonly root: string;
  writeFile(file: string, content: string | Uint8Array): Promise<void>;
  makeDirectory(folder: string): Promise<void>;
  makeLink(link: string, target: string): Promise<void>;
  /** `undefined` when there is no such file. */
  readBytes(file: string): Promise<Uint8Array | undefined>;
}

/** What every `FileSystem` keeps to: the one on Node, the one over VS Code, and the fake of the tests. */
export function describeFileSystemContract(name: string, make: () => Promise<FileSystemUnderTest>): void {
  describe(`${name} keeps the FileSystem contract`, () => {
    let made: FileSystemUnderTest;
    let fileSystem: FileSystem;
    const at = (file: string): string => path.join(made.root, file);
    const savedText = async (file: string): Promise<string | undefined> => {
      const bytes = await made.readBytes(file);
      return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    };

    beforeEach(async () => {
      made = await make();
      fileSystem = made.fileSystem;
    });
    afterEach(async () => {
      await made[Symbol.asyncDispose]();
    });

    it('tells files from folders, and what is missing', async () => {
      await made.writeFile('a.txt', 'four');
      await made.makeDirectory('folder');
      const file = await fileSystem.stat(at('a.txt'));
      assert.deepEqual({ kind: file?.kind, size: file?.size }, { kind: 'file', size: 4 });
      assert.equal((await fileSystem.stat(at('folder')))?.kind, 'directory');
      assert.equal(await fileSystem.stat(at('missing')), undefined);
      assert.equal(await fileSystem.stat(at('a.txt/below')), undefined);
    });

    it('resolves real paths, and none for what is missing', async () => {
      await made.writeFile('folder/a.txt', '');
      assert.equal(await fileSystem.realPath(at('folder/a.txt')), at('folder/a.txt'));
      assert.equal(await fileSystem.realPath(at('folder/b.txt')), undefined);
    });

    it('follows links, gives none for a link to nothing, and rejects a loop', async () => {
      await made.writeFile('real/a.txt', 'text');
      await made.makeLink('link', 'real');
      await made.makeLink('dangling', 'nowhere');
      await made.makeLink('loop', 'loop');
      assert.equal(await fileSystem.realPath(at('link/a.txt')), at('real/a.txt'));
      assert.equal((await fileSystem.stat(at('link')))?.kind, 'directory');
      assert.equal(await fileSystem.realPath(at('dangling')), undefined);
      await assert.rejects(fileSystem.realPath(at('loop')));
    });

    it('lists a folder', async () => {
      await made.writeFile('folder/a.txt', '');
      await made.makeDirectory('folder/sub');
      const entries = [...(await fileSystem.listDirectory(at('folder')))].sort((a, b) => (a.name < b.name ? -1 : 1));
      assert.deepEqual(entries, [
        { name: 'a.txt', kind: 'file', isSymbolicLink: false },
        { name: 'sub', kind: 'directory', isSymbolicLink: false },
      ]);
      await assert.rejects(fileSystem.listDirectory(at('missing')));
      await assert.rejects(fileSystem.listDirectory(at('folder/a.txt')));
    });

    it('marks links in a listing with the kind of what they lead to', async () => {
      await made.makeDirectory('folder');
      await made.makeLink('folder/broken', 'nowhere');
      await made.makeLink('folder/up', '..');
      const entries = [...(await fileSystem.listDirectory(at('folder')))].sort((a, b) => (a.name < b.name ? -1 : 1));
      assert.deepEqual(entries, [
        { name: 'broken', kind: 'other', isSymbolicLink: true },
        { name: 'up', kind: 'directory', isSymbolicLink: true },
      ]);
    });

    it('reads slices, shorter only at the end', async () => {
      await made.writeFile('a.bin', new Uint8Array([0, 1, 2, 3, 4]));
      assert.deepEqual([...(await fileSystem.readSlice(at('a.bin'), 0, 2))], [0, 1]);
      assert.deepEqual([...(await fileSystem.readSlice(at('a.bin'), 3, 10))], [3, 4]);
      assert.deepEqual([...(await fileSystem.readSlice(at('a.bin'), 9, 10))], []);
      await assert.rejects(fileSystem.readSlice(at('missing'), 0, 1));
    });

    it('opens text with its line ends and byte order mark', async () => {
      await made.writeFile('a.txt', '\uFEFFone\r\ntwo\n');
      assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: '\uFEFFone\r\ntwo\n', isDirty: false });
    });

    it('rejects what is not UTF-8 text with a TextDecodeError', async () => {
      await made.writeFile('latin1.txt', new Uint8Array([0x66, 0xfc, 0x72]));
      await made.writeFile('nul.bin', new Uint8Array([0x61, 0, 0x62]));
      await assert.rejects(fileSystem.openText(at('latin1.txt')), TextDecodeError);
      await assert.rejects(fileSystem.openText(at('nul.bin')), TextDecodeError);
      await assert.rejects(fileSystem.openText(at('missing')));
    });

    it('replaces a text byte for byte', async () => {
      await made.writeFile('a.txt', '\uFEFFone\r\n');
      await fileSystem.writeText(at('a.txt'), '\uFEFFtwo\r\nthree', '\uFEFFone\r\n');
      assert.equal(await savedText('a.txt'), '\uFEFFtwo\r\nthree');
      assert.deepEqual(await fileSystem.openText(at('a.txt')), { text: '\uFEFFtwo\r\nthree', isDirty: false });
    });

    it('creates a file with the folders it needs', async () => {
      await fileSystem.writeText(at('new/deep/a.txt'), 'hello\n', null);
      assert.equal(await savedText('new/deep/a.txt'), 'hello\n');
    });

    it('writes nothing over a text that is not the expected one', async () => {
      await made.writeFile('a.txt', 'changed');
      await assert.rejects(fileSystem.writeText(at('a.txt'), 'mine', 'original'), StaleFileError);
      await assert.rejects(fileSystem.writeText(at('a.txt'), 'mine', null), StaleFileError);
      await assert.rejects(fileSystem.writeText(at('missing.txt'), 'mine', 'original'), StaleFileError);
      assert.equal(await savedText('a.txt'), 'changed');
      assert.equal(await savedText('missing.txt'), undefined);
    });

    it('writes through a link and keeps the link', async () => {
      await made.writeFile('real.txt', 'one');
      await made.makeLink('link.txt', 'real.txt');
      await fileSystem.writeText(at('link.txt'), 'two', 'one');
      assert.equal(await savedText('real.txt'), 'two');
      assert.equal(await fileSystem.realPath(at('link.txt')), at('real.txt'));
    });
  });
}
