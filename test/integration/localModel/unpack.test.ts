import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import fc from 'fast-check';
import { entryPath } from '../../../src/localModel/archive/safeEntry';
import { findFile } from '../../../src/localModel/archive/findFile';
import { unpack } from '../../../src/localModel/archive/unpack';
import { zipOf } from '../../support/files/zipOf';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

type Entry = { readonly name: string } & Pick<Partial<Header>, 'linkname' | 'mode' | 'type'> & {
    readonly content?: string;
  };

describe('unpacking a release', () => {
  let folder: TemporaryFolder;
  let target: string;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    target = path.join(folder.path, 'programs', 'release');
  });
  afterEach(() => folder.dispose());

  async function tar(...entries: readonly Entry[]): Promise<string> {
    const archive = pack();
    for (const { content, ...header } of entries) {
      if (content === undefined) archive.entry(header);
      else archive.entry(header, content);
    }
    archive.finalize();
    const parts: Buffer[] = [];
    for await (const part of archive) parts.push(part as Buffer);
    const file = path.join(folder.path, 'release.tar.gz');
    writeFileSync(file, gzipSync(Buffer.concat(parts)));
    return file;
  }

  function packed(...parts: readonly Buffer[]): string {
    const file = path.join(folder.path, 'release.tar.gz');
    writeFileSync(file, gzipSync(Buffer.concat(parts)));
    return file;
  }

  const refused = async (archive: string, message: RegExp): Promise<void> => {
    await assert.rejects(unpack(archive, target), (error: Error) => message.test(error.message));
    assert.equal(existsSync(target), false);
    const left = existsSync(path.dirname(target)) ? readdirSync(path.dirname(target)) : [];
    assert.deepEqual(left, []);
    assert.deepEqual(
      readdirSync(folder.path).filter(
        (name) => name !== 'programs' && name !== 'release.tar.gz' && name !== 'release.zip',
      ),
      [],
    );
  };

  it('writes files and folders, programs as programs, and links to files beside them', async () => {
    const archive = await tar(
      { name: './', type: 'directory' },
      { name: './build/bin/', type: 'directory' },
      { name: './build/bin/llama-server', mode: 0o4755, content: '#!/bin/sh\n' },
      { name: './build/bin/libllama.so.1', mode: 0o644, content: 'library' },
      { name: './build/bin/libllama.so', type: 'symlink', linkname: 'libllama.so.1' },
    );
    await unpack(archive, target);
    const program = await findFile(target, 'llama-server');
    assert.equal(program, path.join(target, 'build/bin/llama-server'));
    assert.equal(statSync(program).mode & 0o7777, 0o755);
    assert.equal(readFileSync(path.join(target, 'build/bin/libllama.so'), 'utf8'), 'library');
    assert.equal(statSync(path.join(target, 'build/bin/libllama.so.1')).mode & 0o777, 0o644);
  });

  for (const name of ['../x', '/etc/x', 'a/../../x', 'C:/x', 'a\\..\\x', 'a/nul', 'a/b.', 'x\u0000y', 'a:stream']) {
    it(`refuses the name ${JSON.stringify(name)}`, async () => {
      assert.throws(() => entryPath('/folder', name));
      // The library ends a name at a NUL.
      if (!name.includes('\0') && !name.startsWith('/')) await refused(await tar({ name, content: 'x' }), /not safe/);
    });
  }

  it('keeps every name below its folder', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', 'CON', 'c:', '\\', '~'), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        let file: string;
        try {
          file = entryPath('/folder', parts.join('/'));
        } catch {
          return;
        }
        assert.equal(file === '/folder' || file.startsWith('/folder/'), true, file);
        assert.equal(path.normalize(file), file);
      }),
      { seed: 18 },
    );
  });

  it('refuses links that lead elsewhere, links to nothing, hard links and devices', async () => {
    await refused(await tar({ name: 'a', type: 'symlink', linkname: '../../x' }), /leads elsewhere/);
    await refused(await tar({ name: 'a', type: 'symlink', linkname: '/etc/passwd' }), /leads elsewhere/);
    await refused(await tar({ name: 'a', type: 'symlink', linkname: 'missing' }), /link to nothing/);
    await refused(await tar({ name: 'a', type: 'symlink', linkname: 'a' }), /link to nothing/);
    await refused(await tar({ name: 'a', content: 'x' }, { name: 'b', type: 'link', linkname: 'a' }), /holds a link/);
    await refused(await tar({ name: 'a', type: 'character-device' }), /character-device/);
  });

  it('writes no file twice, and none through a link', async () => {
    await refused(await tar({ name: 'a', content: 'x' }, { name: 'a', content: 'y' }), /EEXIST/);
    await refused(
      await tar(
        { name: 'a', type: 'symlink', linkname: 'b' },
        { name: 'b', content: '1' },
        { name: 'a', content: '2' },
      ),
      /EEXIST/,
    );
  });

  it('writes long names, which POSIX and GNU keep apart', async () => {
    const long = `${'folder/'.repeat(10)}${'x'.repeat(150)}-ü.txt`;
    await unpack(await tar({ name: long, content: 'posix' }), target);
    assert.equal(readFileSync(path.join(target, long), 'utf8'), 'posix');
    target += '-2';
    const name = Buffer.from(`${long}\0`);
    await unpack(
      packed(
        header('././@LongLink', { type: 'L', size: name.length }),
        padded(name),
        header('cut', { size: 3 }),
        padded('gnu'),
      ),
      target,
    );
    assert.equal(readFileSync(path.join(target, long), 'utf8'), 'gnu');
    assert.deepEqual(readdirSync(target), ['folder']);
  });

  it('writes files of every length around a block', async () => {
    const lengths = [0, 1, 511, 512, 513, 1024, 70_000];
    await unpack(await tar(...lengths.map((length) => ({ name: `f${length}`, content: 'x'.repeat(length) }))), target);
    assert.deepEqual(
      lengths.map((length) => readFileSync(path.join(target, `f${length}`), 'utf8')),
      lengths.map((length) => 'x'.repeat(length)),
    );
  });

  it('refuses headers that lie, and more of them than a release has', async () => {
    await refused(packed(header('a', { sum: 1 })), /wrong checksum/);
    await refused(packed(header('a', { size: 600 })), /its end is missing/);
    await refused(packed(header('a', { type: 'x', size: 70_000 })), /a name is too long/);
    await refused(packed(header('a', { type: 'x', size: 9 }), padded('99 path=b')), /a name is damaged/);
    await refused(
      packed(header('a', { type: 'x', size: 13 }), padded('13 size=-512\n'), header('b')),
      /a size is damaged/,
    );
    const huge = header('a');
    huge[124] = 0x80;
    seal(huge);
    await refused(packed(huge), /too large/);
    const empty = header('a', { type: 'g' });
    await refused(packed(...Array.from({ length: 20_001 }, () => empty)), /too many entries/);
    await refused(packed(Buffer.alloc(3_000_000)), /something follows its end/);
  });

  it('refuses or unpacks any bytes, and writes nothing elsewhere', async () => {
    const whole = Buffer.concat([header('a/b', { size: 5 }), padded('hello'), header('c', { type: '2' })]);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        // Without its checksum most changes would say nothing.
        for (const at of [0, 1024]) seal(bytes.subarray(at, at + 512));
        await unpack(packed(bytes), target).catch((error: unknown) =>
          assert.equal((error as Error).name, 'SetUpError'),
        );
        rmSync(target, { recursive: true, force: true });
        assert.deepEqual(readdirSync(folder.path).sort(), ['programs', 'release.tar.gz']);
        assert.deepEqual(readdirSync(path.dirname(target)), []);
      }),
      { seed: 18, numRuns: 200 },
    );
  });

  it('refuses a damaged archive, cut at every tenth', async () => {
    const whole = readFileSync(
      await tar({ name: 'llama-server', content: 'x'.repeat(5_000) }, { name: 'b', content: 'y' }),
    );
    for (let tenth = 1; tenth < 10; tenth += 1) {
      const archive = path.join(folder.path, 'release.tar.gz');
      writeFileSync(archive, whole.subarray(0, Math.floor((whole.length * tenth) / 10)));
      await refused(archive, /cannot be unpacked/);
    }
  });

  it('unpacks the zip files of Windows, and refuses names that lead elsewhere', async () => {
    const archive = path.join(folder.path, 'release.zip');
    writeFileSync(archive, zipOf({ 'bin/llama-server.exe': 'program', 'bin/ggml.dll': 'library' }));
    await unpack(archive, target);
    assert.equal(readFileSync(path.join(target, 'bin/llama-server.exe'), 'utf8'), 'program');
    target += '-2';
    writeFileSync(archive, zipOf({ '../x': 'y' }));
    await assert.rejects(unpack(archive, target));
    assert.equal(existsSync(target), false);
    assert.equal(existsSync(path.join(folder.path, 'x')), false);
  });
});

/** A header of a tar file, as GNU writes it. */
function header(name: string, { type = '0', size = 0, sum = 0 } = {}): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write(name, 0);
  bytes.write('0000644\0', 100);
  bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  bytes.write(type, 156);
  bytes.write('ustar  \0', 257);
  seal(bytes, sum);
  return bytes;
}

/** Writes the checksum of a header. */
function seal(bytes: Buffer, wrongBy = 0): void {
  bytes.fill(' ', 148, 156);
  const total = bytes.reduce((all, byte) => all + byte, wrongBy);
  bytes.write(`${total.toString(8).padStart(6, '0')}\0 `, 148);
}

function padded(content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
