import assert from 'node:assert/strict';
import { readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { runCommand } from '../../scripts/process';
import { projectRoot } from '../../scripts/projectRoot';
import { describeNode, installNodes, ways, type OtherNodes } from '../support/sdkPackage/otherNodes';
import { outputsOf, programOfSamples } from '../support/sdkPackage/readmeSamples';
import { loadedWith } from '../support/sdkPackage/loadedWith';
import { SdkProjects } from '../support/sdkPackage/sdkProjects';
import { ModelServer } from '../support/servers/modelServer';

/** Needs no other package. The compiler checks it without any types of a platform. */
const plainProgram = `
import { Client, openSession, tool, type AgentOptions, type ContentBlock } from 'open-agent-sdk';

const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }, { signal }) => (signal.aborted ? 0 : a + b));
// @ts-expect-error: 'a' is a string.
tool('shout', 'Shout', { a: 'string' }, ({ a }) => a + 1 - 1);
// @ts-expect-error: there is no such option.
const wrong: AgentOptions = { model: 'm', baseUrl: 'ollama', temprature: 1 };

export async function main(baseUrl: string, file: string): Promise<readonly string[]> {
  void wrong;
  const session = await openSession(file);
  const options: AgentOptions = { model: 'test-model', baseUrl, tools: [add], autoExecuteTools: true };
  await using client = new Client({ ...options, history: session.history });
  const texts: string[] = [];
  for await (const event of session.run(client, '1 + 2?')) if (event.type === 'text_delta') texts.push(event.text);
  await session.close();
  await client.query('And now?');
  const blocks: ContentBlock[] = [];
  for await (const block of client.receiveMessages()) blocks.push(block);
  return [...texts, ...blocks.map((block) => (block.type === 'text' ? block.text : block.type))];
}
`;

/** Its schemas are of the caller's zod. */
const zodProgram = `
import * as z from 'zod';
import { Client, query, tool } from 'open-agent-sdk';

const shape = { a: z.number().describe('The first'), b: z.number().optional() };
const add = tool('add', 'Add', shape, ({ a, b = 0 }) => ({ sum: a + b }));
// @ts-expect-error: 'a' is a number.
tool('shout', 'Shout', { a: z.number() }, ({ a }) => a.toUpperCase());

export async function main(baseUrl: string): Promise<readonly string[]> {
  const options = { model: 'test-model', baseUrl, tools: [add] };
  await using client = new Client({ ...options, autoExecuteTools: true, outputSchema: z.object({ sum: z.number() }) });
  const run = client.run('1 + 2?');
  let next = await run.next();
  while (!next.done) next = await run.next();
  const said: string[] = [JSON.stringify(next.value.structuredOutput)];
  for await (const { content } of query('And now?', options)) {
    for (const block of content) if (block.type === 'text') said.push(block.text);
  }
  return said;
}
`;

const starter = (text: string): string => `${text}
main(process.argv[2] ?? '', process.argv[3] ?? '').then((lines) => console.log(lines.join('\\n')));
`;

const call = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] };

describe('the npm package of the SDK, in empty projects', () => {
  let projects: SdkProjects;
  let nodes: OtherNodes;

  before(async () => {
    const installing = installNodes();
    projects = await SdkProjects.create();
    nodes = await installing;
  });
  after(async () => {
    await projects[Symbol.asyncDispose]();
    await nodes[Symbol.asyncDispose]();
  });

  it('contains code to read with source maps, declarations for both formats, and examples', async () => {
    const entries = await readdir(projects.installed, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(projects.installed, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    const built = /^(esm|cjs)\/([\w-]+\.js(\.map)?|types\/(agent|library|mcp|sdk|util|workspace)\/[\w/]+\.d\.ts)$/;
    const source = /^src\/[\w/]+\.ts$/;
    const examples = (await readdir(path.join(projectRoot, 'examples'))).filter((name) => name.endsWith('.ts'));
    assert.deepEqual(files.filter((file) => !built.test(file) && !source.test(file)).sort(), [
      'LICENSE',
      'README.md',
      'agents/package.json',
      'cjs/package.json',
      'docs/other-sdks.md',
      ...examples.map((name) => `examples/${name}`).sort(),
      'mcp/package.json',
      'package.json',
      'third-party-notices.txt',
      'workspace/package.json',
    ]);
    let code = '';
    for (const file of files.filter((name) => /\.(js|ts)$/.test(name) && !source.test(name))) {
      const text = await readFile(path.join(projects.installed, file), 'utf8');
      assert.doesNotMatch(text, /open-agent-vscode|\.wasm\b|from "zod|require\("zod/, file);
      if (file.startsWith('esm/')) code += text;
      if (file.endsWith('.js')) assert.match(text, /^\/\/# sourceMappingURL=[\w-]+\.js\.map$/m, file);
    }
    assert.match(code, /^var Client = class \{$/m);
  });

  for (const format of ['esm', 'cjs'] as const) {
    it(`shows its sources in a stack as ${format}`, async () => {
      const project = await projects.add();
      const program = `import { Client } from 'open-agent-sdk';
        try { new Client({ model: 'm', baseUrl: 'ftp://models' }); } catch (error) { console.log(error.stack); }`;
      const file = format === 'esm' ? 'wrong.mjs' : 'wrong.cjs';
      await project.write(file, (await transform(program, { format })).code);
      const stack = await project.run('--enable-source-maps', file);
      const [, source = '', line] = /^ +at new Client \((.*\.ts):(\d+):\d+\)$/m.exec(stack) ?? [];
      const modules = path.join(await realpath(project.path), 'node_modules');
      assert.equal(source, path.join(modules, 'open-agent-sdk', 'src', 'sdk', 'client.ts'), stack);
      assert.match(
        (await readFile(source, 'utf8')).split('\n')[Number(line) - 1] ?? '',
        /parseAgentOptions\(options\)/,
      );
    });
  }

  /** Kilobytes of code and the number of files. Node needs about 3 ms for 100 of the ones and 1 ms for one of the others. */
  const weights = { index: [520, 2], agents: [526, 2], mcp: [521, 2], workspace: [580, 3] } as const;
  for (const [entry, [limit, count]] of Object.entries(weights)) {
    it(`loads little with the entry ${entry}, and the rest on first use`, async () => {
      const folder = path.join(projects.installed, 'esm');
      const { files, bytes, builtins } = await loadedWith(folder, `${entry}.js`);
      assert.ok(bytes < limit * 1000, `${bytes} bytes`);
      assert.ok(files.length <= count, files.join(', '));
      // Others take Node some milliseconds each.
      assert.deepEqual(builtins, ['node:path']);
      const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
      const lines = texts.join('\n').split('\n');
      // Node keeps two bytes for each character of a file that has any other one.
      assert.deepEqual(
        lines.filter((line) => /[^\p{ASCII}]/u.test(line)),
        [],
      );
      // Node looks up the characters of such a literal while it loads the file. A text in backticks is none.
      assert.deepEqual(
        lines.filter((line) => /^[^'"`]*\/[^/`]*\\p\{(?!Cc)/.test(line)),
        [],
      );
    });
  }

  it('has a README whose links lead somewhere', async () => {
    const readme = await readFile(path.join(projects.installed, 'README.md'), 'utf8');
    const anchors = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    const names = await readdir(projects.installed, { recursive: true });
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((link) => {
      if (link.startsWith('https://')) return false;
      return link.startsWith('#') ? !anchors.includes(link.slice(1)) : !names.includes(path.normalize(link));
    });
    assert.deepEqual(broken, []);
    assert.ok(links.includes('examples'));
  });

  it('satisfies publint and Are The Types Wrong', async () => {
    const checker = path.join(projectRoot, 'scripts', 'sdkPackage', 'packageProblems.mjs');
    assert.equal(await runCommand(process.execPath, [checker, projects.tarball, projects.installed]), '[]\n');
  });

  const zods = [
    ['zod 3.25', { zod: 'zod3' }, zodProgram, []],
    // Its own declarations need the name `URL`.
    ['zod 4', { zod: 'zod' }, zodProgram, ['dom']],
    ['no zod', {}, plainProgram, []],
  ] as const;

  for (const [name, links, program, libs] of zods) {
    for (const resolution of ['nodenext', 'bundler'] as const) {
      it(`compiles in strict projects with ${name} and moduleResolution ${resolution}, without types of Node`, async () => {
        const project = await projects.add(links);
        await project.write('agent.mts', program);
        await project.compile('agent.mts', { resolution, libs });
        await project.write('agent.cts', program);
        if (resolution === 'nodenext') await project.compile('agent.cts', { resolution, libs });
      });
    }

    for (const [version, format] of ways) {
      it(`runs with ${name} as ${format} in ${describeNode(version)}`, async function () {
        const node = nodes.programOf(version) ?? this.skip();
        await using server = await ModelServer.start();
        const project = await projects.add(links);
        const { code } = await transform(starter(program), { loader: 'ts', format, target: 'node20' });
        const file = format === 'esm' ? 'agent.mjs' : 'agent.cjs';
        await project.write(file, code);
        const answer = program === zodProgram ? '{"sum":3}' : '3';
        server.script(call, { text: answer }, { text: 'Still.' });
        const output = await project.runWith(node, file, server.baseUrl, path.join(project.path, 'chat.jsonl'));
        assert.equal(output, `${answer}\nStill.\n`);
        assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
        const offered = server.completions[0]?.body.tools?.[0]?.function.parameters as
          Record<string, unknown> | undefined;
        const described = program === zodProgram ? { type: 'number', description: 'The first' } : { type: 'number' };
        assert.deepEqual(offered?.['properties'], { a: described, b: { type: 'number' } });
      });
    }
  }

  it('makes tools that the API of the extension takes', async () => {
    const project = await projects.add();
    const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const output = ['--outDir', path.join(project.path, 'api')];
    await runCommand(process.execPath, [compiler, '-p', 'src/host/api', ...output], { cwd: projectRoot });
    const register = `
import { tool } from 'open-agent-sdk';
import type { OpenAgentApi } from './api/host/api/openAgentApi';
const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => a + b);
export const register = (api: OpenAgentApi): void => api.registerTool(add).dispose();
`;
    await project.write('extension.ts', register);
    await project.compile('extension.ts', { resolution: 'bundler' });
  });

  it('runs every sample of its README', async () => {
    await using server = await ModelServer.start();
    const filesystem = '@modelcontextprotocol/server-filesystem';
    const project = await projects.add({ zod: 'zod', '@types/node': '@types/node', [filesystem]: filesystem });
    const readme = await readFile(path.join(projects.installed, 'README.md'), 'utf8');
    const program = programOfSamples(readme, server.baseUrl);
    await project.write('samples.mts', program);
    await project.compile('samples.mts', { resolution: 'nodenext', types: ['node'] });
    const add = { toolCalls: [{ name: 'add', arguments: { a: 25, b: 17 } }] };
    const usage = { promptTokens: 9, completionTokens: 4 };
    server.script(
      ...[add, { text: '42, by the client.' }],
      ...[add, { text: '42, by the caller.' }],
      { text: 'Once upon a time.', usage },
      ...[{ text: 'A long story. '.repeat(9) }, { text: 'The end.' }],
      ...[add, { text: '42.' }],
      ...[add, { text: '42, as allowed.' }],
      { text: '{"name":"Ada Lovelace","birthYear":1815}' },
      { text: 'Three lines.' },
      { text: '{"name":"Note G","year":1843}' },
      { toolCalls: [{ name: 'mcp__files__list_directory', arguments: { path: '.' } }] },
      { text: 'Some.' },
      { toolCalls: [{ name: 'write_file', arguments: { path: 'hello.txt', content: 'Hello\n' } }] },
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: './hello.txt' } }] },
      { text: 'Written, not run.' },
      { kind: 'status', status: 429, body: 'slow down' },
      { text: 'Hello.' },
      { text: 'At the beginning.' },
      { text: '42, by another client.' },
    );
    const { code } = await transform(program, { loader: 'ts', format: 'esm', target: 'node20' });
    await project.write('samples.mjs', code);
    const outputs = outputsOf(await project.run('samples.mjs'));
    assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
    assert.deepEqual(outputs.slice(0, 3), [
      '42, by the client.',
      '42, by the caller.',
      'Once upon a time.completed 4 17',
    ]);
    assert.match(outputs[3] ?? '', /^run_start\n[\s\S]*run_end$/);
    assert.deepEqual(outputs.slice(4), [
      "[ '10 places near Lisbon, any kind' ]",
      'notes.txt deleted: true 0',
      'add succeeded\ncompleted',
      'completed',
      '1815',
      'http://localhost:11434/v1\nThree lines.',
      '1843',
      'succeeded',
      'write_file succeeded\nin .: ./hello.txt (Commands always ask)\nrun_terminal_command denied',
      'rate_limited 429',
      'true 2',
      'At the beginning.5 false []',
      "{ type: 'text', text: '42, by another client.' }",
    ]);
  });
});
