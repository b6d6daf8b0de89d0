import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { estimateTokens } from '../../../src/sdk/context/tokenCount';
import { MAX_RESULT_TOKENS } from '../../../src/sdk/run/toolCalls/boundedResult';
import { contentToText } from '../../../src/sdk/tool';
import type { JsonObject } from '../../../src/util/json';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import type { Diagnostics, Problem, WorkspacePorts } from '../../../src/workspace/ports';
import { createTools } from '../../../src/workspace/tools/createTools';
import { fakeNavigation } from '../../support/fakeNavigation';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { response, textResponse, toolUse } from '../../support/servers/scriptedProvider';
import { record, scriptedClient } from '../../support/sessions/clients';

/** The note about what is left out has some tokens of its own. */
const LIMIT = MAX_RESULT_TOKENS + 100;

/** Files, and reports of language servers, that are far too long for a model's window. */
describe('the workspace tools on hostile files', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let ports: WorkspacePorts;

  before(async () => {
    folder = await createTemporaryFolder({
      'short.txt': 'one\ntwo\nthree\n',
      // Small enough to be edited.
      'minified.js': `a(${'b,'.repeat(600_000)}c)`,
      'letters.txt': 'a\n'.repeat(300_000),
      ...Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`many/${index}${'n'.repeat(200)}.txt`, ''])),
    });
    await writeRepeated('line.txt', 'x', 50_000_000);
    await writeRepeated('lines.txt', '\n', 10_000_000);
    const long = 'message '.repeat(1_000_000);
    const problems: readonly Problem[] = Array.from({ length: 100_000 }, (_, line) => {
      return { line: line + 1, severity: 'error', message: line < 10 ? long : `Problem ${line}` };
    });
    const navigation = fakeNavigation({
      files: { [at('short.txt')]: 'const one = 1;\n', [at('letters.txt')]: 'const a = 1;\n'.repeat(100_000) },
    });
    ports = {
      ...createNodePorts(),
      diagnostics: reporting(problems),
      codeNavigation: { ...navigation, hover: async () => long },
    };
  });
  after(() => folder.dispose());

  const at = (name: string): string => path.join(folder.path, name);

  async function writeRepeated(name: string, character: string, count: number): Promise<void> {
    const handle = await open(at(name), 'w');
    const piece = character.repeat(1_000_000);
    for (let written = 0; written < count; written += piece.length) await handle.write(piece);
    await handle.close();
  }

  function reporting(problems: readonly Problem[]): Diagnostics {
    return {
      read: async () => problems,
      load: async () => {},
      watch: async () => ({ before: [], after: async () => problems, dispose: () => {} }),
      known: () => new Map([[at('short.txt'), problems]]),
    };
  }

  const absent = 'not there '.repeat(100_000);
  const edit = (file: string, old_text: string, new_text: string): JsonObject => ({
    path: file,
    edits: [{ old_text, new_text }],
  });
  const calls: Readonly<Record<string, readonly JsonObject[]>> = {
    read_file: [
      { path: 'line.txt' },
      { path: 'lines.txt' },
      { path: 'lines.txt', start_line: 1, end_line: 10_000_000 },
      { path: 'minified.js' },
      { path: 'letters.txt' },
      { path: absent },
    ],
    list_directory: [{ path: 'many' }, { path: '.' }, { path: absent }],
    search_text: [
      { pattern: 'x', path: 'line.txt' },
      { pattern: 'b', path: 'minified.js' },
      { pattern: 'a' },
      { pattern: '^', is_regex: true },
      { pattern: absent },
    ],
    get_diagnostics: [{ path: 'short.txt' }, { path: '.' }, { path: absent }],
    apply_edit: [
      edit('line.txt', 'x', 'y'),
      edit('lines.txt', '\n', 'y'),
      edit('minified.js', 'b,', 'd,'),
      edit('minified.js', `a(${'b,'.repeat(2_000)}d`, 'e'),
      edit('minified.js', `${'b,'.repeat(600_000)}d)`, 'e'),
      edit('letters.txt', 'a\n', 'c\n'),
      edit('letters.txt', 'a\n'.repeat(50) + 'b', 'c\n'),
      edit('short.txt', absent, 'x'),
      edit('short.txt', 'one', `${'x'.repeat(1_000_000)}\n// ... existing code ...\n`),
      edit('short.txt', 'one', 'four'),
    ],
    write_file: [
      { path: 'short.txt', content: `${'x\n'.repeat(100_000)}// ... existing code ...\n` },
      { path: 'line.txt/new', content: '' },
      { path: 'letters.txt', content: 'b\n'.repeat(300_000) },
      { path: absent, content: '' },
    ],
    run_terminal_command: [
      { command: 'cat line.txt' },
      { command: 'cat lines.txt' },
      { command: 'cat minified.js letters.txt >&2; exit 3' },
    ],
    find_symbol: [
      { symbol: 'a' },
      { symbol: 'one', find: 'hover' },
      { symbol: 'letters.txt', find: 'symbols' },
      { symbol: absent },
    ],
  };

  it('cover every tool', () => {
    const tools = createTools({ ports, roots: () => [] });
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.keys(calls),
    );
  });

  for (const [name, inputs] of Object.entries(calls)) {
    it(`give bounded results: ${name}`, async () => {
      for (const input of inputs) {
        const tools = createTools({ ports, roots: () => [{ name: 'work', path: folder.path }] });
        const { client, provider } = scriptedClient([response([toolUse('c1', name, input)]), textResponse('Done')], {
          tools,
        });
        await record(client.run('Go'));
        const sent = provider.requests[1]?.messages.at(-1);
        assert.ok(sent?.role === 'tool', JSON.stringify(input).slice(0, 200));
        const text = contentToText(sent.content.content);
        assert.ok(
          estimateTokens(text) <= LIMIT,
          `${estimateTokens(text)} tokens: ${JSON.stringify(input).slice(0, 200)}`,
        );
      }
    });
  }
});
