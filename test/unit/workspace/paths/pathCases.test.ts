import assert from 'node:assert/strict';
import * as z from 'zod';
import { guardPath } from '../../../../src/workspace/paths/guardPath';
import type { Guarded } from '../../../../src/workspace/plans';
import { protectionOf } from '../../../../src/workspace/paths/protectedPaths';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';
import { safetySample, textSamples } from '../../../support/safetySample';
import { WindowsFileSystem } from '../../../support/files/windowsFileSystem';

/** What the README of the samples says a path comes to. */
function verdictOf(guarded: Guarded): string {
  if (!guarded.ok) return 'reject';
  const tier = protectionOf(guarded.path);
  if (guarded.path.pathInRoot === null) return 'outside';
  return tier === undefined ? 'inside' : `protected:${tier}`;
}

describe('the safety samples about paths', () => {
  function makeFileSystem(): MemoryFileSystem {
    const fileSystem = new MemoryFileSystem({ '/w/src/a.ts': 'a', '/w/x': 'x', '/home/u/.ssh/id_rsa': 'key' });
    fileSystem.makeLink('/w/loop', 'loop');
    fileSystem.makeLink('/proc/self/root', '/');
    fileSystem.makeSpecial('/w/fifo');
    return fileSystem;
  }

  const fifo = safetySample('PA20', z.object({ path: z.string() }));
  for (const { id, input, expected, note } of [...textSamples('paths'), { ...fifo, input: fifo.input.path }]) {
    it(`${id}: ${JSON.stringify(input)} is ${expected} (${note})`, async () => {
      const options = { roots: [{ name: 'w', path: '/w' }], fileSystem: makeFileSystem(), platform: 'linux' as const };
      const marked = verdictOf(await guardPath(input, { ...options, outside: 'mark' }));
      // Paths of the kernel are outside, whichever way they lead, and nobody is asked about them.
      if (expected === 'outside') assert.ok(['outside', 'reject'].includes(marked), marked);
      else assert.equal(marked, expected);
      const refused = verdictOf(await guardPath(input, options));
      assert.equal(refused, expected === 'outside' ? 'reject' : expected);
    });
  }
});

describe('the safety samples about paths on Windows', () => {
  for (const { id, input, expected, note } of textSamples('paths-windows')) {
    it(`${id}: ${JSON.stringify(input)} is ${expected} (${note})`, async () => {
      const files = new WindowsFileSystem(['C:\\w\\src\\a.ts', 'C:\\w\\a.txt', 'C:\\w2\\x', 'C:\\x.txt']);
      const roots = [{ name: 'w', path: 'C:\\w' }];
      const guarded = await guardPath(input, {
        roots,
        fileSystem: files.port,
        platform: 'win32',
        outside: 'mark',
      });
      assert.equal(verdictOf(guarded), expected.split(' ')[0]);
      if (expected.startsWith('reject')) assert.deepEqual(files.touched, [], 'nothing was looked up');
    });
  }
});

describe('paths on Windows', () => {
  const roots = [{ name: 'w', path: 'C:\\w' }];
  const existing = ['C:\\w\\.git\\config', 'C:\\w\\Program Files\\a.ts', 'D:\\other\\b.ts'];
  const shortNames = { 'GIT~1': '.git', 'PROGRA~1': 'Program Files' };
  const guard = (input: string): Promise<Guarded> =>
    guardPath(input, {
      roots,
      fileSystem: new WindowsFileSystem(existing, shortNames).port,
      platform: 'win32',
      outside: 'mark',
    });

  it('are identified by their long names', async () => {
    assert.deepEqual(await guard('PROGRA~1\\a.ts'), {
      ok: true,
      path: {
        path: 'C:\\w\\PROGRA~1\\a.ts',
        realPath: 'C:\\w\\Program Files\\a.ts',
        displayPath: 'PROGRA~1/a.ts',
        pathInRoot: 'Program Files/a.ts',
        exists: true,
        unlinkedPath: 'C:\\w\\Program Files\\a.ts',
      },
    });
    assert.equal(verdictOf(await guard('GIT~1/config')), 'protected:1');
  });

  it('cannot be created with a name that may be the short name of another file', async () => {
    assert.match(JSON.stringify(await guard('MYFILE~1.TXT')), /could be the short name of another file/);
    assert.equal(verdictOf(await guard('notes~.txt')), 'inside');
  });

  for (const input of [
    'a.txt::$DATA',
    '.git::$INDEX_ALLOCATION\\config',
    '//evil/share/x',
    '\\\\?\\C:\\w\\a.txt',
    '\\\\.\\PhysicalDrive0',
    '\\/evil\\share',
    'C:a.txt',
    'd:',
    'src\\NUL',
    'aux.ts',
    'COM1.txt',
    'CONIN$',
    '.git.\\config',
    '.env ',
    'a...\\b',
    'a*b',
  ]) {
    it(`refuses ${input} without looking it up`, async () => {
      const files = new WindowsFileSystem(existing, shortNames);
      const guarded = await guardPath(input, { roots, fileSystem: files.port, platform: 'win32', outside: 'mark' });
      assert.deepEqual([guarded.ok, files.touched], [false, []]);
    });
  }

  it('on another drive are outside', async () => {
    assert.equal(verdictOf(await guard('D:\\other\\b.ts')), 'outside');
    assert.equal(verdictOf(await guard('C:\\w\\..\\x')), 'outside');
  });
});
