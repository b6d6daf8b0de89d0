import assert from 'node:assert/strict';
import path from 'node:path';
import { transform } from 'esbuild';
import { calledNames, watchingModule } from '../support/sdkPackage/calledNames';
import { connectionsProgram } from '../support/sdkPackage/programs/connectionsProgram';
import { entriesProgram } from '../support/sdkPackage/programs/entriesProgram';
import { ownPartsProgram } from '../support/sdkPackage/programs/ownPartsProgram';
import { portsProgram } from '../support/sdkPackage/programs/portsProgram';
import { toolsProgram } from '../support/sdkPackage/programs/toolsProgram';
import { hiddenNamesIn, publicNames, undocumentedIn } from '../support/sdkPackage/publicNames';
import { SdkProjects, type SdkProject } from '../support/sdkPackage/sdkProjects';
import { namesNotMissed, type EntryNames } from '../support/sdkPackage/wrongNames';
import { ModelServer } from '../support/servers/modelServer';

const programs = [toolsProgram, connectionsProgram, ownPartsProgram, entriesProgram, portsProgram];

/** The declarations of each entry. */
const declarations = {
  'open-agent-sdk': 'sdk',
  'open-agent-sdk/agents': 'library/agents',
  'open-agent-sdk/mcp': 'library/mcp',
  'open-agent-sdk/workspace': 'library/workspace',
};

/** Types that only compute or abbreviate others, and the parts of a union that a caller names by its `type`. */
const helpers = /^(Answer|CheckedShape|OutputOf|SchemaInput|ShortInput|StandardResult|WithEnvelope|\w+Body)$/;

const starter = (text: string): string => `${text}
main(...process.argv.slice(2)).then((lines) => console.log(lines.join('\\n')));
`;

describe('the public names of the npm package of the SDK', () => {
  let projects: SdkProjects;
  let entries: readonly EntryNames[];
  const called = new Set<string>();

  before(async () => {
    projects = await SdkProjects.create();
    entries = await Promise.all(
      Object.entries(declarations).map(async ([from, folder]) => ({
        from,
        names: await publicNames(path.join(projects.installed, `esm/types/${folder}/index.d.ts`)),
      })),
    );
  });
  after(() => projects[Symbol.asyncDispose]());

  it('are those that a program can import', async () => {
    const project = await projects.add();
    for (const { from, names } of entries) {
      await project.write('names.mjs', `import * as all from '${from}'; console.log(Object.keys(all).join());`);
      const values = names.flatMap(({ name, kind }) => (kind === 'type' ? [] : [name]));
      assert.equal((await project.run('names.mjs')).trim(), values.toSorted().join(), from);
      assert.equal(new Set(names.map(({ name }) => name)).size, names.length);
    }
  });

  it('have a docstring, and so have all members of their classes', () => {
    for (const { from, names } of entries) assert.deepEqual([from, ...undocumentedIn(names)], [from]);
  });

  it('mention no types of the package that have no public name', async () => {
    const names = entries.flatMap((entry) => entry.names);
    const isPublic = (word: string): boolean => helpers.test(word) || names.some(({ name }) => name === word);
    assert.deepEqual(await hiddenNamesIn(names, isPublic), []);
  });

  it('are each used in a program that a wrong declaration breaks', async () => {
    const project = await projects.add({ '@types/node': '@types/node' });
    assert.deepEqual(await namesNotMissed(project, programs, entries), []);
  });

  it('are noticed when no program uses them for what they are', async () => {
    const project = await projects.add({ '@types/node': '@types/node' });
    const idle =
      "import { tool, type Client, type Usage } from 'open-agent-sdk';\nvoid tool;\nexport type Mine = Client | Usage;";
    const [main] = entries;
    assert.ok(main);
    const names = main.names.filter(({ name }) => ['tool', 'Client', 'Usage', 'query'].includes(name));
    assert.deepEqual(
      (await namesNotMissed(project, [idle], [{ ...main, names }])).toSorted(),
      ['Client', 'Usage', 'query', 'tool'].map((name) => `open-agent-sdk ${name}`),
    );
  });

  /** Compiles and runs a program. Resolves to the lines that it tells. */
  async function tried(program: string, server: ModelServer): Promise<readonly string[]> {
    const project = await projects.add({ '@types/node': '@types/node' });
    await project.write('names.mts', program);
    await project.compile('names.mts', { resolution: 'nodenext', types: ['node'] });
    await project.write('names.mjs', (await transform(starter(await watched(project, program)), target)).code);
    const { stdout, stderr } = await project.runFor(process.execPath, 'names.mjs', server.baseUrl, project.path);
    for (const name of calledNames(stderr)) called.add(name);
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
    return stdout.trim().split('\n');
  }
  const target = { loader: 'ts', target: 'node20' } as const;

  /** The program with entries that note what is called. */
  async function watched(project: SdkProject, program: string): Promise<string> {
    let text = program;
    for (const [index, entry] of entries.entries()) {
      await project.write(`entry-${index}.mjs`, watchingModule(entry));
      text = text.replaceAll(`from '${entry.from}'`, `from './entry-${index}.mjs'`);
    }
    return text;
  }

  const add = (a: number) => ({ toolCalls: [{ name: 'plus', arguments: { a, b: 2 } }] });

  it('have the types of what they are: tools, hooks, blocks and results', async () => {
    await using server = await ModelServer.start();
    server.script(add(1), { text: '{"sum":"3"}' }, { text: '{"sum":4}' }, { text: '{"sum":3}' });
    server.script(add(2), add(3), add(4));
    assert.deepEqual(await tried(toolsProgram, server), [
      '{"sum":1}',
      'Invalid arguments for add: "a": expected number, received string.',
      '{"type":"number"}',
      'asked 1 + 2?',
      'add succeeded',
      'completed stop 1 3 1',
      'add{"a":2,"b":2}',
      'tool_result',
      'max_tool_iterations',
      'add{"a":3,"b":2}',
      'waiting add 5',
      'true',
    ]);
  });

  it('have the types of what they are: servers, settings, sessions, images and conversions', async () => {
    await using server = await ModelServer.start();
    server.script({ text: 'Hello.' }, { text: 'Hi.' }, { text: 'A dot.' }, { text: 'A summary.' });
    assert.deepEqual(await tried(connectionsProgram, server), [
      'http://localhost:11434/v1',
      '[{"type":"text","text":"Hello."}]',
      'connecting,prefilling,generating',
      '0',
      'completions,200',
      'completed',
      'image/png 1',
      '2 false',
      'text,image_url',
      ...['add', 'add'],
      'Short.',
      '2',
      ...['true', 'true'],
      '100',
      'requested A summary.',
    ]);
    assert.equal(server.completions[0]?.body.temperature, 0.5);
  });

  it('have the types of what they are: parts of the caller', async () => {
    await using server = await ModelServer.start();
    assert.deepEqual(await tried(ownPartsProgram, server), [
      'stops with 4.',
      '4.',
      'retry,tool_execution_start,tool_execution_progress,tool_execution_end',
      'prompt',
      '1 rate_limited',
      'undefined',
      '0',
      '3',
      '{"role":"user","content":"HALF OF 8?"}',
      '6',
      '{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}',
      'HALF OF 8?',
      '{"half":4}',
      'Halves',
      'torn',
      'elsewhere',
      '3.',
      '7',
      '{"name":"answer","schema":{"type":"number"}}',
      'never',
      '{"a":',
      '"far ran"',
      '[{"role":"user","content":"Before."},{"role":"assistant","content":[{"type":"text","text":"I go on from this summary."}],"stopReason":"stop"},{"role":"user","content":"New."}]',
      'invalid_options',
      'http://localhost:1',
    ]);
  });

  it('have the types of what they are: the further entries', async () => {
    await using server = await ModelServer.start();
    server.script({ text: 'Once.' });
    const told = ['run_end', 'Once.', 'You ask others.', '0 tools, 2 problems', 'tools', '"deny"'];
    assert.deepEqual(await tried(entriesProgram, server), [...told, 'confined: failed_to_start', 'directory', 'true']);
  });

  it('have the types of what they are: ports and plans of the coding tools', async () => {
    await using server = await ModelServer.start();
    const command = { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'make' } }] };
    server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] },
      { toolCalls: [{ name: 'search_text', arguments: { pattern: 'milk' } }] },
      ...[command, { text: 'Planned.' }],
      { toolCalls: [{ name: 'list_directory', arguments: { path: '.' } }] },
      {
        toolCalls: [
          { name: 'apply_edit', arguments: { path: 'notes.txt', edits: [{ old_text: 'milk', new_text: 'tea' }] } },
        ],
      },
      ...[command, { text: 'Done.' }],
    );
    assert.deepEqual(await tried(portsProgram, server), [
      'a shell',
      'read_file succeeded',
      'search_text succeeded',
      'run_terminal_command denied',
      'list_directory succeeded',
      'edit notes.txt, exactly quoted',
      'apply_edit succeeded',
      'run make',
      'run_terminal_command succeeded',
      ...['true', 'true'],
      '"Buy tea.\\n"',
    ]);
  });

  it('are all called, made or read in these programs, as far as they are values', function () {
    const values = entries.flatMap(({ from, names }) =>
      names.flatMap(({ name, kind }) => (kind === 'type' ? [] : [`${from} ${name}`])),
    );
    // With --grep the programs may not have run.
    if (called.size === 0) return void this.skip();
    assert.deepEqual(
      values.filter((name) => !called.has(name)),
      [],
    );
  });
});
