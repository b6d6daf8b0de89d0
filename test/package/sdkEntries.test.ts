import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from 'esbuild';
import { projectRoot } from '../../scripts/projectRoot';
import { describeNode, installNodes, ways, type OtherNodes } from '../support/sdkPackage/otherNodes';
import { SdkProjects, type SdkProject } from '../support/sdkPackage/sdkProjects';
import { ModelServer } from '../support/servers/modelServer';

const agentsProgram = `
import * as z from 'zod';
import { tool } from 'open-agent-sdk';
import { agentTool, createAgentClient, defineAgent, parseAgent, parseProfile, runAgent, type AgentSetup } from 'open-agent-sdk/agents';

const add = tool('add', 'Add', { a: 'number', b: 'number' }, ({ a, b }) => a + b);
const Sum = z.object({ sum: z.number() });
const adder = defineAgent({ id: 'adder', description: 'Adds.', prompt: 'You add.', outputSchema: Sum, includeTools: ['add'] });

export async function main(baseUrl: string): Promise<readonly string[]> {
  const setup: AgentSetup = { profiles: [parseProfile({ id: 'local', baseUrl, model: 'test-model' })], tools: [add] };
  const { structuredOutput } = await runAgent(adder, '1 + 2?', setup);
  const sum: number | undefined = structuredOutput?.sum;
  // @ts-expect-error: there is no such field.
  void structuredOutput?.total;
  const lead = parseAgent({ id: 'lead', prompt: 'You ask others.', temperature: 0 });
  await using client = createAgentClient(lead, { ...setup, tools: [agentTool(adder, setup)] });
  const run = client.run('1 + 2, by the adder?');
  let next = await run.next();
  while (!next.done) next = await run.next();
  return [String(sum), next.value.primaryText];
}
`;

const mcpProgram = `
import { Client } from 'open-agent-sdk';
import { connectMcpServers, type McpServerTable } from 'open-agent-sdk/mcp';

export async function main(baseUrl: string, folder: string, command: string, server: string): Promise<readonly string[]> {
  const table: McpServerTable = { files: { command, args: [server, folder] } };
  // @ts-expect-error: a server is a process or a URL.
  const wrong: McpServerTable = { files: { program: 'node' } };
  const failed = await connectMcpServers(wrong).catch((error: Error) => error.message);
  await using mcp = await connectMcpServers(table);
  await using client = new Client({ model: 'test-model', baseUrl, tools: mcp.tools, autoExecuteTools: true });
  const run = client.run('Which files?');
  let next = await run.next();
  while (!next.done) next = await run.next();
  return [String(failed), mcp.tools[0]?.server ?? '', next.value.primaryText];
}
`;

const workspaceProgram = `
import { Client } from 'open-agent-sdk';
import { createNodePorts, openWorkspace, type ApprovalQuestion, type WorkspacePorts } from 'open-agent-sdk/workspace';

export async function main(baseUrl: string, folder: string): Promise<readonly string[]> {
  const asked: ApprovalQuestion[] = [];
  const ports: WorkspacePorts = createNodePorts();
  // @ts-expect-error: there is no such mode.
  const wrong = (): unknown => openWorkspace(folder, { mode: 'yolo' });
  void wrong;
  const workspace = openWorkspace(folder, {
    ports,
    ask: async (question) => {
      asked.push(question);
      return question.plan.kind === 'edit' ? { action: 'allow' } : { action: 'deny', reason: 'No commands.' };
    },
  });
  await using client = new Client({ model: 'test-model', baseUrl, ...workspace, autoExecuteTools: true });
  const run = client.run('Say hello in the readme, and remove the rest.');
  let next = await run.next();
  while (!next.done) next = await run.next();
  return [...asked.map(({ preview }) => preview), next.value.primaryText];
}
`;

/** An error of each entry, thrown by what the entry itself exports, against the class of the main entry. */
const errorsProgram = `
import { AgentError, Client, query } from 'open-agent-sdk';
import { createAgentClient, parseAgent, parseProfile } from 'open-agent-sdk/agents';
import { connectMcpServers } from 'open-agent-sdk/mcp';
import { openWorkspace } from 'open-agent-sdk/workspace';

export async function main(folder: string): Promise<readonly string[]> {
  const errors = [
    () => new Client({ model: 'm', baseUrl: 'ftp://models' }),
    () => parseAgent({ id: 'lead', promt: 'You ask others.' }),
    () => connectMcpServers({ 'no name!': { command: 'node' } }),
    () => openWorkspace(folder, { rules: { allow: ['('] } }),
  ].map(async (work) => work());
  const told = await Promise.allSettled(errors);
  const client = createAgentClient(parseAgent({ id: 'lead', prompt: 'You ask.' }), {
    profiles: [parseProfile({ id: 'local', baseUrl: 'ollama', model: 'm' })],
  });
  return [
    ...told.map((one) => (one.status === 'rejected' ? String(one.reason instanceof AgentError) : 'not thrown')),
    String(client instanceof Client),
  ];
}
`;

const starter = (text: string): string => `${text}
main(...process.argv.slice(2)).then((lines) => console.log(lines.join('\\n---\\n')));
`;

describe('the further entries of the npm package of the SDK, in empty projects', () => {
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

  async function runAs(
    { node, format }: { readonly node: string; readonly format: 'esm' | 'cjs' },
    project: SdkProject,
    program: string,
    ...args: readonly string[]
  ) {
    const { code } = await transform(starter(program), { loader: 'ts', format, target: 'node20' });
    const file = format === 'esm' ? 'agent.mjs' : 'agent.cjs';
    await project.write(file, code);
    return (await project.runWith(node, file, ...args)).trim().split('\n---\n');
  }

  const programs = [
    ['agents', agentsProgram, { zod: 'zod' }, ['dom']],
    ['mcp', mcpProgram, {}, []],
    ['workspace', workspaceProgram, {}, []],
  ] as const;

  for (const [name, program, links, libs] of programs) {
    it(`compile in strict projects without types of Node: ${name}`, async () => {
      const project = await projects.add(links);
      for (const file of ['agent.mts', 'agent.cts']) {
        await project.write(file, program);
        await project.compile(file, { resolution: 'nodenext', libs });
      }
      await project.write('agent.ts', program);
      await project.compile('agent.ts', { resolution: 'bundler', libs });
    });
  }

  for (const [version, format] of ways) {
    const as = `as ${format} in ${describeNode(version)}`;

    it(`runs agents with typed answers, also as tools of each other, ${as}`, async function () {
      const node = nodes.programOf(version) ?? this.skip();
      await using server = await ModelServer.start();
      const project = await projects.add({ zod: 'zod' });
      const call = { toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] };
      server.script(
        ...[call, { text: '{"sum":3}' }],
        { toolCalls: [{ name: 'adder', arguments: { prompt: '1 + 2?' } }] },
        ...[call, { text: '{"sum":3}' }],
        { text: 'It is 3.' },
      );
      assert.deepEqual(await runAs({ node, format }, project, agentsProgram, server.baseUrl), ['3', 'It is 3.']);
      assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
      const [first, , lead] = server.completions.map(({ body }) => body);
      assert.match(String(first?.messages[0]?.content), /^You add\./);
      assert.deepEqual([lead?.messages[0]?.content, lead?.temperature], ['You ask others.', 0]);
      assert.equal(server.completions[5]?.body.messages.at(-1)?.content, '{"sum":3}');
    });

    it(`has the same classes in all entries ${as}`, async function () {
      const node = nodes.programOf(version) ?? this.skip();
      const project = await projects.add();
      const told = await runAs({ node, format }, project, errorsProgram, project.path);
      assert.deepEqual(told, ['true', 'true', 'true', 'true', 'true']);
    });

    it(`uses the tools of an MCP server ${as}, and ends its process`, async function () {
      const node = nodes.programOf(version) ?? this.skip();
      await using server = await ModelServer.start();
      const project = await projects.add();
      await project.write('notes/milk.txt', 'Buy milk.');
      const mcpServer = path.join(projectRoot, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
      const folder = path.join(project.path, 'notes');
      server.script(
        { toolCalls: [{ name: 'mcp__files__list_directory', arguments: { path: folder } }] },
        { text: 'milk.txt.' },
      );
      const told = await runAs(
        { node, format },
        project,
        mcpProgram,
        server.baseUrl,
        folder,
        process.execPath,
        mcpServer,
      );
      assert.match(told[0] ?? '', /MCP server "files" is not used/);
      assert.deepEqual(told.slice(1), ['files', 'milk.txt.']);
      assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
      assert.match(String(server.completions[1]?.body.messages.at(-1)?.content), /\[FILE\] milk\.txt/);
    });

    it(`edits a workspace with approval ${as}`, async function () {
      const node = nodes.programOf(version) ?? this.skip();
      await using server = await ModelServer.start();
      const project = await projects.add();
      await project.write('app/README.md', '# App\n');
      await project.write('app/main.js', 'run();\n');
      const edit = { path: 'README.md', edits: [{ old_text: '# App', new_text: '# Hello' }] };
      server.script(
        { toolCalls: [{ name: 'search_text', arguments: { pattern: 'r.n\\(', is_regex: true } }] },
        { toolCalls: [{ name: 'apply_edit', arguments: edit }] },
        { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'rm main.js' } }] },
        { text: 'Said hello.' },
      );
      const folder = path.join(project.path, 'app');
      const told = await runAs({ node, format }, project, workspaceProgram, server.baseUrl, folder);
      assert.deepEqual(told, ['edit README.md\n@@ -1 +1 @@\n-# App\n+# Hello', 'in .: rm main.js', 'Said hello.']);
      assert.deepEqual([server.unexpected, server.turnsLeft], [[], 0]);
      const results = server.completions.slice(1).map(({ body }) => String(body.messages.at(-1)?.content));
      assert.match(results[0] ?? '', /main\.js\n1: run/);
      assert.match(results[2] ?? '', /denied[\s\S]*No commands\./);
      assert.equal(await readFile(path.join(folder, 'README.md'), 'utf8'), '# Hello\n');
      assert.equal(await readFile(path.join(folder, 'main.js'), 'utf8'), 'run();\n');
    });
  }
});
