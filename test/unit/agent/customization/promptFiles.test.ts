import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillPrompt, listPromptFiles } from '../../../../src/agent/customization/promptFiles';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

describe('prompt files', () => {
  const list = (
    fileSystem: MemoryFileSystem,
    { isTrusted = true, roots = ['w'] }: { isTrusted?: boolean; roots?: readonly string[] } = {},
  ) =>
    listPromptFiles({
      fileSystem,
      roots: () => roots.map((name) => ({ name, path: `/${name}` })),
      isTrusted: () => isTrusted,
      ownFolder: '/home/.open-agent',
    });
  const names = async (...given: Parameters<typeof list>) => (await list(...given)).map(({ name }) => name);

  it('are those of the workspace, then those of the person, each name once', async () => {
    const files = new MemoryFileSystem({
      '/w/.github/prompts/release.prompt.md':
        '---\ndescription: Writes notes\nmodel: big\n---\nNotes for ${input:version:such as 1.2}.',
      '/w/.github/prompts/plain.prompt.md': 'Say hi.',
      '/w/.github/prompts/readme.md': 'No prompt.',
      '/w/.github/prompts/empty.prompt.md': '---\ndescription: x\n---\n \n',
      '/home/.open-agent/prompts/plain.prompt.md': 'Another.',
      '/home/.open-agent/prompts/mine.prompt.md': 'Mine: ${file}',
    });
    assert.deepEqual(await list(files), [
      {
        ...{ name: 'plain', description: '', displayPath: '.github/prompts/plain.prompt.md', isOwn: false },
        ...{ body: 'Say hi.', inputs: [] },
      },
      {
        ...{
          name: 'release',
          description: 'Writes notes',
          displayPath: '.github/prompts/release.prompt.md',
          isOwn: false,
        },
        ...{ body: 'Notes for ${input:version:such as 1.2}.', inputs: [{ name: 'version', hint: 'such as 1.2' }] },
      },
      {
        ...{ name: 'mine', description: '', displayPath: '~/.open-agent/prompts/mine.prompt.md', isOwn: true },
        ...{ body: 'Mine: ${file}', inputs: [] },
      },
    ]);
  });

  it('are found in every folder, and none in a workspace that is not trusted', async () => {
    const files = new MemoryFileSystem({
      '/w/.github/prompts/a.prompt.md': 'A',
      '/v/.github/prompts/b.prompt.md': 'B',
    });
    assert.deepEqual(await names(files, { roots: ['w', 'v'] }), ['a', 'b']);
    assert.deepEqual(await names(files, { isTrusted: false }), []);
  });

  it('are not read through links that lead outside or to secrets, nor when they are large', async () => {
    const files = new MemoryFileSystem({
      '/w/.env': 'KEY=1',
      '/home/notes.md': 'private',
      '/home/.ssh/id_rsa': 'key',
      '/w/.github/prompts/large.prompt.md': 'x'.repeat(64_001),
      '/elsewhere/mine.prompt.md': 'Mine.',
    });
    files.makeLink('/w/.github/prompts/a.prompt.md', '/w/.env');
    files.makeLink('/w/.github/prompts/b.prompt.md', '/home/notes.md');
    files.makeLink('/home/.open-agent/prompts/c.prompt.md', '/home/.ssh/id_rsa');
    files.makeLink('/home/.open-agent/prompts/mine.prompt.md', '/elsewhere/mine.prompt.md');
    assert.deepEqual(await names(files), ['mine']);
    const linked = new MemoryFileSystem({ '/home/x/a.prompt.md': 'private' });
    linked.makeLink('/w/.github/prompts', '/home/x');
    assert.deepEqual(await names(linked), []);
  });

  it('get each value once: a value that looks like a variable stays as it is', () => {
    const values = new Map([
      ['a', '${input:b} ${file}'],
      ['b', 'B'],
    ]);
    assert.equal(
      fillPrompt('${input:a}, ${input:b:hint}, ${input:c}, ${file}, ${selection}, ${env:HOME}', values, {
        file: 'f.ts',
      }),
      '${input:b} ${file}, B, ${input:c}, f.ts, (nothing is selected), ${env:HOME}',
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, rest) => {
        fc.pre(!rest.includes('$'));
        assert.equal(fillPrompt(`${rest}\${input:a}`, new Map([['a', value]]), {}), rest + value);
      }),
      { seed: 1 },
    );
  });
});
