import assert from 'node:assert/strict';
import { createTools } from '../../../../src/workspace/tools/createTools';
import type { CommandRunner, TextMatch } from '../../../../src/workspace/ports';
import type { JsonObject } from '../../../../src/util/json';
import { callTool, type CallResult } from '../../../support/callTool';
import { MemoryFileSystem } from '../../../support/files/memoryFileSystem';

const commandRunner: CommandRunner = { shellName: 'bash', run: () => assert.fail('not used here') };
const image = 'iVBORw0KGgo'.repeat(2000);
const notebook = (code: string): string =>
  `${JSON.stringify(
    {
      cells: [
        { cell_type: 'markdown', metadata: {}, source: ['# Prices\n', 'In cents.'] },
        {
          cell_type: 'code',
          execution_count: 1,
          metadata: { tags: ['hidden'] },
          outputs: [
            { output_type: 'display_data', data: { 'image/png': image, 'text/html': '<script>alert(1)</script>' } },
          ],
          source: code.split(/(?<=\n)/),
        },
      ],
      metadata: {},
      nbformat: 4,
      nbformat_minor: 4,
    },
    null,
    1,
  )}\n`;

const code = (outputs: readonly unknown[]) => ({
  cell_type: 'code',
  execution_count: 1,
  id: 'c',
  metadata: {},
  source: ['x()'],
  outputs,
});
const OUTPUTS = {
  cells: [
    { cell_type: 'markdown', id: 'm', metadata: {}, source: ['# A'] },
    code([
      { output_type: 'stream', name: 'stdout', text: ['one\n', '\u001B[31mtwo\u001B[0m\n'] },
      { output_type: 'display_data', data: { 'image/png': 'iVBOR', 'text/plain': ['<Figure>'] }, metadata: {} },
      'nonsense',
    ]),
    code([]),
    code([
      {
        output_type: 'error',
        ename: 'ValueError',
        evalue: 'no price',
        traceback: ['Traceback', 'ValueError: no price'],
      },
      { output_type: 'error', ename: 'KeyError', evalue: 'total', traceback: [] },
    ]),
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

describe('a notebook without an editor', () => {
  let fileSystem: MemoryFileSystem;
  let matches: readonly TextMatch[] = [];

  beforeEach(() => {
    fileSystem = new MemoryFileSystem({ '/w/a.ipynb': notebook('a = 1\nb = 2') });
  });

  const call = (name: string, input: JsonObject): Promise<CallResult> => {
    const textSearch = { search: () => Promise.resolve({ matches, isCut: false }) };
    return callTool(
      createTools({ ports: { fileSystem, commandRunner, textSearch }, roots: () => [{ name: 'w', path: '/w' }] }),
      name,
      input,
    );
  };
  const edit = (oldText: string, newText: string): Promise<CallResult> =>
    call('apply_edit', { path: 'a.ipynb', edits: [{ old_text: oldText, new_text: newText }] });
  const stored = async (file = '/w/a.ipynb'): Promise<string> => (await fileSystem.openText(file)).text;

  it('is read as cells, without outputs', async () => {
    assert.deepEqual(await call('read_file', { path: 'a.ipynb' }), {
      content: [
        'a.ipynb (6 lines; "# %% [language]" begins each of 2 notebook cells, outputs of 1 in a.ipynb:outputs):',
        '# %% [markdown]\n# Prices\nIn cents.\n# %% [python]\na = 1\nb = 2',
      ].join('\n'),
      isError: false,
    });
    assert.deepEqual(await call('read_file', { path: 'a.ipynb', start_line: 5, end_line: 5 }), {
      content:
        'a.ipynb (lines 5-5 of 6; "# %% [language]" begins each of 2 notebook cells, outputs of 1 in a.ipynb:outputs):\na = 1\n[There is more. Continue with start_line 6.]',
      isError: false,
    });
  });

  it('shows the outputs of its cells on demand, without images and colours', async () => {
    await fileSystem.writeText('/w/out.ipynb', JSON.stringify(OUTPUTS), null);
    assert.deepEqual(await call('read_file', { path: 'out.ipynb:outputs' }), {
      content: [
        'out.ipynb:outputs (9 lines):',
        '# Outputs of cell 2',
        'one',
        'two',
        '<Figure>',
        '[not shown: image/png]',
        '# Outputs of cell 4',
        'Traceback',
        'ValueError: no price',
        'KeyError: total',
      ].join('\n'),
      isError: false,
    });
    assert.deepEqual(await call('read_file', { path: 'out.ipynb:outputs', start_line: 6, end_line: 6 }), {
      content: 'out.ipynb:outputs (lines 6-6 of 9):\n# Outputs of cell 4\n[There is more. Continue with start_line 7.]',
      isError: false,
    });
    await fileSystem.writeText('/w/none.ipynb', JSON.stringify({ ...OUTPUTS, cells: [] }), null);
    assert.deepEqual(await call('read_file', { path: 'none.ipynb:outputs' }), {
      content: 'The cells of none.ipynb have no outputs.',
      isError: false,
    });
    await fileSystem.writeText('/w/broken.ipynb', '{', null);
    assert.deepEqual(await call('read_file', { path: 'broken.ipynb:outputs' }), {
      content: 'broken.ipynb is no notebook that can be read.',
      isError: true,
    });
  });

  it('is edited as cells, and keeps all else', async () => {
    assert.deepEqual(await edit('b = 2', 'b = 3'), {
      content: 'Edited a.ipynb (+1 -1 lines).',
      display: { applied: true, addedLines: 1, removedLines: 1, line: 6 },
      isError: false,
    });
    assert.equal(await stored(), notebook('a = 1\nb = 3'));
  });

  it('gets and loses cells', async () => {
    await edit('# %% [python]\na = 1', '# %% [python]\nimport math\n\n# %% [python]\na = 1');
    const { cells } = JSON.parse(await stored()) as { cells: { source: string[]; outputs?: unknown[] }[] };
    assert.deepEqual(
      cells.map(({ source, outputs }) => [source.join(''), outputs?.length]),
      [
        ['# Prices\nIn cents.', undefined],
        ['import math', 0],
        ['a = 1\nb = 2', 1],
      ],
    );
    await edit('# %% [python]\nimport math\n', '');
    assert.equal(await stored(), notebook('a = 1\nb = 2'));
  });

  it('refuses edits of its JSON, and says the way out', async () => {
    const before = await stored();
    const way = 'A notebook is written as cells, not as JSON: a line "# %% [python]" or "# %% [markdown]"';
    const refused = async (result: Promise<CallResult>): Promise<string> => {
      const got = await result;
      assert.ok('refused' in got, JSON.stringify(got));
      return got.refused;
    };
    const ofPart = await refused(edit('"source": [\n    "a = 1\\n"', '"source": [\n    "a = 2\\n"'));
    assert.ok(ofPart.startsWith('a.ipynb cannot be edited as JSON. Read it with read_file.'), ofPart);
    assert.ok(ofPart.includes(way));
    for (const path of ['a.ipynb', 'new.ipynb']) {
      assert.ok((await refused(call('write_file', { path, content: before }))).startsWith(way));
    }
    assert.ok((await refused(edit('b = 2', 'b = 2\n# %%\nc = 3'))).includes('begins no cell'));
    assert.equal(await stored(), before);
  });

  it('is created from cells', async () => {
    const content = '# %% [markdown]\n# New\n\n# %% [python]\nprint(1)\n';
    assert.deepEqual(await call('write_file', { path: 'new.ipynb', content }), {
      content: 'Created new.ipynb (+4 -0 lines).',
      display: { applied: true, addedLines: 4, removedLines: 0, line: 1 },
      isError: false,
    });
    const written = JSON.parse(await stored('/w/new.ipynb')) as { cells: { cell_type: string; source: string[] }[] };
    assert.deepEqual(
      written.cells.map(({ cell_type, source }) => [cell_type, source]),
      [
        ['markdown', ['# New']],
        ['code', ['print(1)']],
      ],
    );
  });

  it('is mended as text when it is no notebook any more', async () => {
    fileSystem.write('/w/a.ipynb', '<<<<<<< mine\n{"cells": []}\n');
    assert.deepEqual(await call('read_file', { path: 'a.ipynb' }), {
      content: 'a.ipynb (2 lines):\n<<<<<<< mine\n{"cells": []}',
      isError: false,
    });
    await edit('<<<<<<< mine\n', '');
    assert.equal(await stored(), '{"cells": []}\n');
  });

  it('is found by its lines, and its outputs are not', async () => {
    const json = (await stored()).split('\n');
    matches = json.flatMap((text, index) =>
      /b = 2|cents|iVBOR/.test(text) ? [{ path: '/w/a.ipynb', line: index + 1, text: text.slice(0, 300) }] : [],
    );
    assert.deepEqual(await call('search_text', { pattern: 'b = 2|cents|iVBOR', is_regex: true }), {
      content: 'a.ipynb\n3: In cents.\n6: b = 2\n[1 in outputs and metadata of notebooks left out.]',
      isError: false,
    });
  });
});
