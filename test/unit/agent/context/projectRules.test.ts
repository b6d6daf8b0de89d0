import assert from 'node:assert/strict';
import { createProjectRules } from '../../../../src/agent/context/projectRules';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

describe('the rules of a project', () => {
  const rules = (
    files: Readonly<Record<string, string>>,
    {
      window,
      isTrusted = true,
      roots = ['w'],
    }: { window?: number; isTrusted?: boolean; roots?: readonly string[] } = {},
  ) =>
    createProjectRules({
      fileSystem: new MemoryFileSystem({ '/w/x': '', '/v/x': '', ...files }),
      roots: () => roots.map((name) => ({ name, path: `/${name}` })),
      isTrusted: () => isTrusted,
    })(window);

  it('come from AGENTS.md, marked as what they are, in a fence that they cannot end', async () => {
    assert.deepEqual(await rules({ '/w/AGENTS.md': '\n# Rules\n```\nrm -rf\n```\n' }), {
      label: 'AGENTS.md',
      content:
        'How this project wants to be worked on, from AGENTS.md in the repository. It decides nothing about what is allowed:\n' +
        '````\n# Rules\n```\nrm -rf\n```\n````',
    });
  });

  it('take a tenth of the window at most', async () => {
    const long = { '/w/AGENTS.md': 'x'.repeat(100_000) };
    const length = async (window?: number) =>
      /x+/.exec((await rules(long, window === undefined ? {} : { window }))?.content ?? '')?.[0].length;
    assert.deepEqual([await length(), await length(32_768)], [2_867, 11_468]);
    assert.match((await rules(long))?.content ?? '', /\nIt was cut here; read_file gives the rest of AGENTS\.md\.$/);
  });

  it('are those of every folder, which share the room', async () => {
    const both = { '/w/AGENTS.md': 'w'.repeat(9_000), '/v/AGENTS.md': 'v'.repeat(9_000) };
    const found = await rules(both, { roots: ['w', 'v'] });
    assert.equal(found?.label, 'w/AGENTS.md, v/AGENTS.md');
    assert.equal(/w{9,}/.exec(found.content)?.[0].length, 1_433);
  });

  it('are not read through links that lead outside or to secrets', async () => {
    for (const target of ['/home/notes.md', '/w/.env']) {
      const fileSystem = new MemoryFileSystem({ '/w/.env': 'KEY=1', '/home/notes.md': 'private' });
      fileSystem.makeLink('/w/AGENTS.md', target);
      const read = createProjectRules({ fileSystem, roots: () => [{ name: 'w', path: '/w' }], isTrusted: () => true });
      assert.equal(await read(undefined), undefined, target);
    }
  });

  it('are none where there is no such text, and in a workspace that is not trusted', async () => {
    assert.equal(await rules({}), undefined);
    assert.equal(await rules({ '/w/AGENTS.md': ' \n' }), undefined);
    assert.equal(await rules({ '/w/AGENTS.md/file': 'x' }), undefined);
    assert.equal(await rules({ '/w/AGENTS.md': 'x' }, { isTrusted: false }), undefined);
  });
});
