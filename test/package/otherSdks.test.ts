import assert from 'node:assert/strict';
import { readFile, symlink, writeFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { runCommand } from '../../scripts/process';
import { projectRoot } from '../../scripts/projectRoot';
import { createTemporaryFolder, type TemporaryFolder } from '../support/files/temporaryFolder';
import { programsOf } from '../support/sdkPackage/comparedPrograms';
import { SdkProjects } from '../support/sdkPackage/sdkProjects';
import type { JsonObject } from '../../src/util/json';
import { AnthropicServer, type AnthropicTurn } from '../support/servers/anthropicServer';
import { ModelServer } from '../support/servers/modelServer';

const compiler = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** The last one brings a program of 360 MB for this system, as an optional package. */
const libraries = ['@openai/agents@0.20.0', '@modelcontextprotocol/client@2', '@anthropic-ai/claude-agent-sdk@0.3.330'];
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...libraries, 'zod@4'];

const call = { toolCalls: [{ name: 'add', arguments: { a: 25, b: 17 } }] };

/** The turns of the model, and what each program prints. */
const expected = [
  { turns: [{ text: 'Once upon a time.' }], output: 'Once upon a time.' },
  { turns: [call, { text: 'It is 42.' }], output: 'It is 42.', sends: /42/ },
  { turns: [call, { text: 'I may not add.' }], output: 'I may not add.', sends: /Too large/ },
  { turns: [{ text: '{"name":"Ada Lovelace","birthYear":1815}' }], output: '1815' },
  { turns: [{ text: 'Hello, Ada.' }, { text: 'Ada.' }], output: 'Hello, Ada.Ada.', sends: /What is my name/ },
] as const;

/** What a program of this system needs of the environment. */
const inherited = ['PATH', 'SystemRoot', 'SystemDrive', 'COMSPEC', 'PATHEXT'];

/** The same turns behind the program of the Claude Agent SDK: tools are those of a server, and a typed answer is a call. */
function turnsForClaude(index: number): readonly AnthropicTurn[] {
  return (expected[index]?.turns ?? []).map((turn) => {
    if ('toolCalls' in turn) {
      return { toolCalls: turn.toolCalls.map((each) => ({ ...each, name: `mcp__sums__${each.name}` })) };
    }
    if (!turn.text.startsWith('{')) return turn;
    return { toolCalls: [{ name: 'StructuredOutput', arguments: JSON.parse(turn.text) as JsonObject }] };
  });
}

describe('the same five programs with other libraries (docs/other-sdks.md)', () => {
  let projects: SdkProjects;
  let foreign: TemporaryFolder;
  let problem: string | undefined;
  let markdown: string;

  before(async () => {
    markdown = await readFile(path.join(projectRoot, 'docs/other-sdks.md'), 'utf8');
    foreign = await createTemporaryFolder({ 'package.json': '{ "type": "module" }' });
    const installing = runCommand(npm, install, { cwd: foreign.path }).catch((error: Error) => {
      problem = `the other libraries cannot be installed: ${error.message.split('\n')[0]}`;
    });
    projects = await SdkProjects.create();
    await installing;
  });
  after(async () => {
    await projects[Symbol.asyncDispose]();
    await foreign.dispose();
  });

  /** Writes and compiles the programs of a library. */
  async function compile(folder: string, library: string, baseUrl: string): Promise<readonly string[]> {
    const programs = programsOf(markdown, library, baseUrl);
    assert.equal(programs.length, expected.length);
    const files = programs.map((_program, index) => `program-${index + 1}.mts`);
    for (const [index, file] of files.entries()) await writeFile(path.join(folder, file), programs[index] ?? '');
    const roots = ['--typeRoots', path.join(projectRoot, 'node_modules/@types'), '--types', 'node'];
    const modules = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,esnext.disposable,dom'];
    await runCommand(
      process.execPath,
      [compiler, '--noEmit', '--strict', '--skipLibCheck', ...roots, ...modules, ...files],
      {
        cwd: folder,
      },
    );
    return programs;
  }

  /** Runs the programs of a library, each against a model of its own. */
  async function run(folder: string, library: string): Promise<void> {
    await compile(folder, library, 'http://localhost:8080');
    for (const [index, { turns, output, ...more }] of expected.entries()) {
      await using server = await ModelServer.start();
      server.script(...turns);
      const program = programsOf(markdown, library, server.baseUrl)[index] ?? '';
      const { code } = await transform(program, { loader: 'ts', format: 'esm', target: 'node20' });
      await writeFile(path.join(folder, 'program.mjs'), code);
      const said = await runCommand(process.execPath, ['program.mjs'], { cwd: folder });
      assert.equal(said.trim(), output, `program ${index + 1}`);
      assert.deepEqual([server.unexpected.length, server.turnsLeft], [0, 0]);
      if ('sends' in more) assert.match(JSON.stringify(server.completions[1]?.body.messages), more.sends);
    }
  }

  it('run with this SDK', async () => {
    const project = await projects.add({ zod: 'zod' });
    await run(project.path, 'open-agent-sdk');
  });

  it('run with the AI SDK', async () => {
    const project = await projects.add({ zod: 'zod', ai: 'ai' });
    await mkdir(path.join(project.path, 'node_modules/@ai-sdk'), { recursive: true });
    const provider = 'node_modules/@ai-sdk/openai-compatible';
    await symlink(path.join(projectRoot, provider), path.join(project.path, provider));
    await run(project.path, 'ai');
  });

  it('run with the OpenAI Agents SDK, where it can be installed', async function () {
    if (problem !== undefined) return skip(this, problem);
    await run(foreign.path, '@openai/agents');
  });

  it('run with the Claude Agent SDK, where it can be installed', async function () {
    if (problem !== undefined) return skip(this, problem);
    const library = '@anthropic-ai/claude-agent-sdk';
    const programs = await compile(foreign.path, library, 'http://localhost:8080');
    for (const [index, { output, ...more }] of expected.entries()) {
      await using server = await AnthropicServer.start();
      server.script(...turnsForClaude(index));
      const { code } = await transform(programs[index] ?? '', { loader: 'ts', format: 'esm', target: 'node20' });
      await writeFile(path.join(foreign.path, 'program.mjs'), code);
      // Nothing else of the environment: it may have keys, and addresses that are not of this test.
      const env = {
        ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
        ...{ HOME: foreign.path, USERPROFILE: foreign.path, TMPDIR: foreign.path },
        ...{ ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_API_KEY: 'none' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      };
      const said = await runCommand(process.execPath, ['program.mjs'], { cwd: foreign.path, env });
      assert.deepEqual([said.trim(), server.unexpected, server.turnsLeft], [output, [], 0], `program ${index + 1}`);
      if ('sends' in more) assert.match(JSON.stringify(server.requests[1]?.['messages']), more.sends);
    }
  });
});

function skip(context: Mocha.Context, why: string): void {
  console.log(`      Skipped: ${why}`);
  context.skip();
}
