import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultAgentSettings, type AgentSettings } from '../../../src/agent/configuration/agentSettings';
import { chooseAgent, type AgentChoice, type AgentConfiguration } from '../../../src/agent/configuration/chooseAgent';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import type { CreateClientInput } from '../../../src/agent/configuration/sessionClient';
import type { ApprovalAsk } from '../../../src/agent/approval/approver';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { McpOffer } from '../../../src/mcp/mcpServers';
import { createMcpTool, type McpTool } from '../../../src/mcp/mcpTool';
import type { Client } from '../../../src/sdk/client';
import type { AgentEvent } from '../../../src/sdk/events';
import type { Message } from '../../../src/sdk/messages';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { record } from '../../support/sessions/clients';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const nobody: ApprovalAsk = () => assert.fail('nobody may be asked');

describe('createAgent', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  const clients: Client[] = [];

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await server.dispose();
    await folder.dispose();
  });

  interface Given {
    readonly settings?: Partial<AgentConfiguration>;
    readonly keys?: KeyStore;
    readonly isTrusted?: () => boolean;
    readonly slots?: SlotQueue;
    readonly warn?: (message: string) => void;
    readonly mcp?: () => Promise<McpOffer>;
  }

  function agent({
    settings = {},
    keys = new KeyStore({ secrets: memorySecrets() }),
    isTrusted,
    slots,
    warn,
    mcp,
  }: Given = {}) {
    const create = createAgent({
      settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'm', ...settings }),
      ports: createNodePorts(),
      roots: () => [{ name: 'app', path: folder.path }],
      isTrusted: isTrusted ?? (() => true),
      keys,
      slots: slots ?? new SlotQueue(),
      warn,
      mcp,
      fetch: createFetch(),
      platform: 'linux',
    });
    return async (ask: ApprovalAsk = nobody, more: Partial<CreateClientInput> = {}): Promise<Client> => {
      const { client } = await create({
        history: [],
        ...more,
        recordCheckpoint: () => Promise.resolve(),
        sessionId: 's',
        ask,
      });
      clients.push(client);
      return client;
    };
  }

  async function run(client: Client, prompt: string, onEvent?: (event: AgentEvent) => void): Promise<string> {
    const events = client.run(prompt);
    for (let next = await events.next(); ; next = await events.next()) {
      if (next.done) return next.value.primaryText;
      onEvent?.(next.value);
    }
  }

  it('offers the workspace tools in order, and sends no unset sampling', async () => {
    server.script({ text: 'Hi.' });
    assert.equal(await run(await agent()(), 'Hello'), 'Hi.');
    const { body } = server.completions[0]!;
    assert.deepEqual(
      body.tools?.map((tool) => tool.function.name),
      ['read_file', 'list_directory', 'search_text', 'apply_edit', 'write_file', 'run_terminal_command'],
    );
    for (const field of ['temperature', 'max_tokens', 'top_p', 'tool_choice'])
      assert.equal(field in body, false, field);
    assert.match(body.messages[0]!.content ?? '', new RegExp(`Workspace folder: ${folder.path}`));
  });

  const serverTool = (server: string, name: string): McpTool => {
    const info = { name, description: '', inputSchema: { type: 'object' }, isReadOnly: false };
    const uncalled = (): never => assert.fail('nothing is called');
    return createMcpTool(`mcp__${server}__${name}`, server, info, uncalled) ?? assert.fail();
  };
  const offer: McpOffer = {
    tools: [serverTool('docs', 'find'), serverTool('docs', 'drop'), serverTool('web', 'get')],
    instructions: [
      { server: 'docs', text: 'Find first.' },
      { server: 'web', text: 'Get it.' },
    ],
    problems: [],
  };
  const names = () => server.completions.at(-1)!.body.tools?.map((tool) => tool.function.name) ?? [];
  const system = () => server.completions.at(-1)!.body.messages[0]!.content ?? '';

  it('offers the MCP tools that the agent may use after its own, with the instructions of their servers', async () => {
    server.script({ text: 'Hi.' }, { text: 'Hi.' });
    const mcp = async () => offer;
    await run(await agent({ mcp })(), 'Hello');
    assert.deepEqual(names().slice(6), ['mcp__docs__find', 'mcp__docs__drop', 'mcp__web__get']);
    assert.match(system(), /<mcp_server name="docs">\nFind first\.\n<\/mcp_server>\n<mcp_server name="web">/);
    const settings = { allowedServers: ['docs'], excludeTools: ['mcp__docs__drop'] };
    await run(await agent({ mcp, settings })(), 'Hello');
    assert.deepEqual(names().slice(6), ['mcp__docs__find']);
    assert.match(system(), /Find first/);
    assert.doesNotMatch(system(), /Get it/);
  });

  it('does not use MCP servers in an untrusted workspace', async () => {
    server.script({ text: 'Hi.' });
    await run(await agent({ mcp: () => assert.fail('no server is used'), isTrusted: () => false })(), 'Hello');
    assert.doesNotMatch(`${names().join()} ${system()}`, /mcp/);
  });

  it('sends the sampling from the settings', async () => {
    server.script({ text: 'Hi.' });
    const settings = { temperature: 0.2, maxTokens: 512, systemPrompt: 'Use tabs.' };
    await run(await agent({ settings })(), 'Hello');
    const { temperature, max_tokens, messages } = server.completions[0]!.body;
    assert.deepEqual([temperature, max_tokens], [0.2, 512]);
    assert.match(messages[0]!.content ?? '', /From the user:\nUse tabs\.$/);
  });

  it('begins every request with the bytes of the last one', async () => {
    server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: 'one' },
      { text: 'Bye.' },
    );
    const client = await agent()();
    await run(client, 'Read a.txt');
    await run(client, 'Thanks');
    const [first, second, third] = server.completions.map(({ body }) => body);
    assert.equal(JSON.stringify(second!.tools), JSON.stringify(first!.tools));
    assert.equal(JSON.stringify(third!.tools), JSON.stringify(first!.tools));
    const start = (messages: readonly unknown[], count: number): string => JSON.stringify(messages.slice(0, count));
    assert.equal(start(second!.messages, first!.messages.length), JSON.stringify(first!.messages));
    assert.equal(start(third!.messages, second!.messages.length), JSON.stringify(second!.messages));
  });

  it('finds the model and the number of slots', async () => {
    server.script({ text: 'Hi.' });
    const slots = new SlotQueue();
    const client = await agent({ settings: { model: '' }, slots })();
    await run(client, 'Hello');
    assert.equal(server.completions[0]!.body.model, 'test-model');
  });

  it('probes a configured server in parallel with the first request', async () => {
    const gate = createGate();
    server.script({ text: ['Hi', gate, '.'] });
    const slots = new SlotQueue();
    const sized = new Promise<readonly [string, number]>((resolve) => {
      slots.setSize = (...size) => resolve(size);
    });
    const client = await agent({ slots })();
    assert.equal(server.requests.length, 0);
    const running = run(client, 'Hello');
    assert.deepEqual(await sized, [server.baseUrl, 1]);
    gate.open();
    assert.equal(await running, 'Hi.');
    assert.equal(client.contextWindow, 32_768);
  });

  it('warns once about a model not made for tool calls, and about a tool that needs an editor', async () => {
    server.setRoute('/props', {
      status: 200,
      body: {
        default_generation_settings: { n_ctx: 4096 },
        total_slots: 1,
        chat_template_caps: { supports_tools: false },
      },
    });
    const warnings: string[] = [];
    const make = agent({
      settings: { model: '', agentId: 'careful', includeTools: ['read_file', 'get_diagnostics'] },
      warn: (message) => warnings.push(message),
    });
    await make();
    await make();
    assert.deepEqual(warnings, [
      'Agent "careful": includeTools: get_diagnostics needs VS Code, so the agent works without it here.',
      'The server says that test-model was not made to call tools, so it may not be able to read files, edit or run ' +
        'commands. Choose a model with tools, or check this one with open-agent doctor.',
    ]);
  });

  it('summarises old messages when the context window is full, and continues', async () => {
    const overflow = 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it';
    server.script(
      { text: Array.from({ length: 300 }, (_, n) => `Reason ${n} is ${n * 7}.`).join(' ') },
      { kind: 'status', status: 400, body: { error: { message: overflow, type: 'exceed_context_size_error' } } },
      { text: 'They want a long answer.' },
      { text: 'Here you are.' },
    );
    const client = await agent()();
    await run(client, 'Write a long answer.');
    const types: string[] = [];
    assert.equal(await run(client, 'And now?', ({ type }) => types.push(type)), 'Here you are.');
    assert.ok(types.includes('compaction'), types.join(' '));
    assert.equal(client.contextWindow, 4096);
    assert.deepEqual(server.unexpected, []);
  });

  it('uses the context window from the settings', async () => {
    server.script({ text: 'Hi.' });
    const client = await agent({ settings: { contextWindow: 16_384 } })();
    await run(client, 'Hello');
    assert.equal(client.contextWindow, 16_384);
  });

  it('describes tools in text if the model is configured so', async () => {
    server.script(
      { text: '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>' },
      { text: 'one' },
    );
    const modelOptions = { 'm*': { toolCalls: 'native' }, m: { toolCalls: 'text' } } as const;
    assert.equal(await run(await agent({ settings: { modelOptions } })(), 'Read a.txt'), 'one');
    const [first, second] = server.completions.map(({ body }) => body);
    assert.equal(first!.tools, undefined);
    assert.match(first!.messages[0]!.content ?? '', /read_file/);
    assert.match(second!.messages.at(-1)!.content ?? '', /one/);
  });

  it("keeps native calls if they are configured, and reports the server's objection", async () => {
    const said = 'm does not support tools';
    server.script({ kind: 'status', status: 400, body: { error: { message: said } } });
    const client = await agent({ settings: { modelOptions: { m: { toolCalls: 'native' } } } })();
    const warnings: string[] = [];
    const events = client.run('Hello');
    let next = await events.next();
    for (; !next.done; next = await events.next()) if (next.value.type === 'warning') warnings.push(next.value.message);
    assert.equal(next.value.outcome, 'error');
    assert.match(next.value.error?.message ?? '', new RegExp(said));
    assert.deepEqual([server.completions.length, warnings], [1, []]);
  });

  it('resends the thoughts of earlier turns if the model wants them', async () => {
    server.script({ thinking: 'Hm.', text: 'Hi.' }, { text: 'Bye.' });
    const client = await agent({ settings: { modelOptions: { m: { replayReasoning: 'always' } } } })();
    await run(client, 'Hello');
    await run(client, 'And now?');
    assert.equal(server.completions[1]!.body.messages[2]!['reasoning_content'], 'Hm.');
  });

  it('retries a request that failed temporarily, and holds no slot while it waits', async () => {
    server.script({ kind: 'status', status: 503, body: 'busy' }, { text: 'Hi.' });
    const slots = new SlotQueue();
    const seen: (number | string)[] = [];
    const text = await run(await agent({ slots })(), 'Hello', (event) => {
      if (event.type === 'retry') seen.push(event.attempt, slots.ahead(server.baseUrl));
    });
    assert.deepEqual([text, seen], ['Hi.', [1, 0]]);
  });

  it('rejects with the cause when there is no model', async () => {
    await server.dispose();
    server = await ModelServer.start({ models: [] });
    await assert.rejects(agent({ settings: { model: '' } })(), {
      name: 'AgentError',
      code: 'not_found',
      message: /has no model/,
    });
  });

  it('sends a key only to the server it was entered for', async () => {
    server.script({ text: 'Hi.' }, { text: 'Hi.' });
    const keys = new KeyStore({ secrets: memorySecrets() });
    await keys.set('http://elsewhere.example/v1', 'sk-other');
    await run(await agent({ keys })(), 'Hello');
    await keys.set(server.baseUrl, 'sk-mine');
    await run(await agent({ keys })(), 'Hello');
    const sent = server.completions.map(({ headers }) => headers.authorization);
    assert.deepEqual(sent.at(-1), 'Bearer sk-mine');
    assert.equal(JSON.stringify(server.requests.map(({ headers }) => headers)).includes('sk-other'), false);
  });

  it('refuses every tool in an untrusted workspace, and still offers the same tools', async () => {
    const call = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };
    server.script(call, { text: 'I may not.' }, call, { text: 'one' });
    let isTrusted = false;
    const create = agent({ isTrusted: () => isTrusted });
    await run(await create(), 'Read a.txt');
    isTrusted = true;
    await run(await create(), 'Read a.txt');
    const [first, refused, second, read] = server.completions.map(({ body }) => body);
    assert.match(refused!.messages.at(-1)!.content ?? '', /^The call was denied\..*workspace is not trusted/);
    assert.match(read!.messages.at(-1)!.content ?? '', /one/);
    assert.equal(JSON.stringify(first!.tools), JSON.stringify(second!.tools));
  });

  it('reveals nothing about files of an untrusted workspace in the errors of tools', async () => {
    server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'A.TXT' } }] },
      { toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'on', new_text: 'x' }] } }] },
      {
        toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'ons', new_text: 'x' }] } }],
      },
      { toolCalls: [{ name: 'list_directory', arguments: { path: 'nowhere' } }] },
      { text: 'I may not.' },
    );
    await run(await agent({ isTrusted: () => false })(), 'Look around');
    const results = server.completions.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
    assert.equal(results.length, 4);
    for (const { content } of results) assert.match(content ?? '', /^The call was denied\..*workspace is not trusted/);
  });

  it('lets sessions take turns on a server with one slot', async () => {
    const gate = createGate();
    server.script({ text: ['Fir', gate, 'st.'] }, { text: 'Second.' });
    const create = agent();
    const [one, two] = [await create(), await create()];
    const first = run(one, 'One');
    await gate.reached;
    let queued: () => void;
    const isQueued = new Promise<void>((resolve) => (queued = resolve));
    const second = run(two, 'Two', (event) => {
      if (event.type === 'status' && event.status === 'queued') queued();
    });
    await isQueued;
    assert.equal(server.completions.length, 1);
    gate.open();
    assert.deepEqual(await Promise.all([first, second]), ['First.', 'Second.']);
    assert.equal(await server.completions[0]!.closed, 'sent');
  });

  it('blocks no other session while it waits for a person', async () => {
    server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two\n' } }] },
      { text: 'Meanwhile.' },
      { text: 'Denied.' },
    );
    const create = agent();
    let answer: (decision: { action: 'deny' }) => void;
    let asked: () => void;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const waiting = run(
      await create(() => {
        asked();
        return new Promise((resolve) => (answer = resolve));
      }),
      'Write b.txt',
    );
    await isAsked;
    assert.equal(await run(await create(), 'Hello'), 'Meanwhile.');
    answer!({ action: 'deny' });
    assert.equal(await waiting, 'Denied.');
  });

  describe('with profiles and agents', () => {
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };

    function configured(choice: AgentChoice, agents: AgentSettings['agents'] = []): Partial<AgentConfiguration> {
      const profiles = [
        {
          id: 'gpu',
          baseUrl: server.baseUrl,
          model: 'big',
          temperature: 0.1,
          topP: 0.9,
          topK: 20,
          maxTokens: 300,
          reasoningEffort: 'low',
          thinking: false,
          systemPrompt: 'From the profile.',
          extraBody: { min_p: 0.05, seed: 1 },
        },
      ];
      const settings = { ...defaultAgentSettings, baseUrl: 'http://127.0.0.1:9', model: 'm', profiles, agents };
      return chooseAgent(settings, choice).configuration;
    }

    it('sends the settings of the profile to its server', async () => {
      server.script({ text: 'Hi.' });
      await run(await agent({ settings: configured({ profile: 'gpu' }) })(), 'Hello');
      const {
        messages,
        tools: _tools,
        stream: _stream,
        stream_options: _options,
        ...sent
      } = server.completions[0]!.body as unknown as Record<string, unknown> & { messages: { content: string }[] };
      assert.deepEqual(sent, {
        model: 'big',
        temperature: 0.1,
        top_p: 0.9,
        top_k: 20,
        max_tokens: 300,
        reasoning_effort: 'low',
        chat_template_kwargs: { enable_thinking: false },
        min_p: 0.05,
        seed: 1,
      });
      assert.match(messages[0]!.content, /From the user:\nFrom the profile\.$/);
    });

    it('lets the agent override its profile, and keeps the rest of the profile', async () => {
      server.script({ text: 'Hi.' });
      const reviewer = {
        id: 'reviewer',
        profile: 'gpu',
        model: 'other',
        prompt: 'Review.',
        topK: null,
        extraBody: { seed: 2 },
      };
      await run(await agent({ settings: configured({ agent: 'reviewer' }, [reviewer]) })(), 'Hello');
      const body = server.completions[0]!.body as unknown as Record<string, unknown>;
      assert.deepEqual(
        [body['model'], body['temperature'], 'top_k' in body, body['min_p'], body['seed']],
        ['other', 0.1, false, 0.05, 2],
      );
      assert.match(server.completions[0]!.body.messages[0]!.content ?? '', /From the user:\nReview\.$/);
    });

    it('neither offers nor runs an excluded tool, and names the available tools', async () => {
      server.script(
        { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two\n' } }] },
        { toolCalls: [{ name: 'execute_bash', arguments: { command: 'touch c.txt' } }] },
        read,
        { text: 'Only read.' },
      );
      const reader = {
        id: 'reader',
        profile: 'gpu',
        includeTools: ['read_file', 'list_directory', 'write_file'],
        excludeTools: ['write_file'],
      };
      await run(await agent({ settings: configured({ agent: 'reader' }, [reader]) })(), 'Write b.txt');
      const bodies = server.completions.map(({ body }) => body);
      assert.deepEqual(
        bodies.map(({ tools }) => tools?.map((tool) => tool.function.name)),
        Array.from({ length: 4 }, () => ['read_file', 'list_directory']),
      );
      const results = bodies
        .at(-1)!
        .messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => content);
      assert.deepEqual(results.slice(0, 2), [
        'The tool write_file may not be used here. Nothing was executed. The tools are: read_file, list_directory.',
        'The tool run_terminal_command may not be used here. Nothing was executed. The tools are: read_file, list_directory.',
      ]);
      assert.match(results[2] ?? '', /one/);
      assert.deepEqual(await readdir(folder.path), ['a.txt']);
    });

    it('rejects an agent with a misspelled tool name', async () => {
      const slip = { id: 'reader', excludeTools: ['write_fil'] };
      await assert.rejects(agent({ settings: configured({ profile: 'gpu', agent: 'reader' }, [slip]) })(), {
        code: 'invalid_options',
        message: /^Agent "reader": excludeTools: there is no tool "write_fil"\. The tools are: read_file, /,
      });
    });

    it('refuses edits and commands in plan mode without asking, and offers the same tools', async () => {
      const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two\n' } }] };
      server.script(
        read,
        write,
        { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'touch c' } }] },
        {
          text: 'I would write b.txt.',
        },
      );
      await run(await agent({ settings: { ...configured({ profile: 'gpu' }), permissionMode: 'plan' } })(), 'Go');
      const { messages, tools } = server.completions.at(-1)!.body;
      const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
      assert.match(results[0] ?? '', /one/);
      assert.match(results[1] ?? '', /plan mode: edits are refused/);
      assert.match(results[2] ?? '', /plan mode: commands are refused/);
      assert.equal(tools?.length, 6);
      assert.deepEqual(await readdir(folder.path), ['a.txt']);
    });

    it('edits ordinary files without asking in accept-edits mode, and asks about a manifest', async () => {
      server.script(
        {
          toolCalls: [
            { name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] } },
          ],
        },
        { toolCalls: [{ name: 'write_file', arguments: { path: 'package.json', content: '{}' } }] },
        { text: 'Half done.' },
      );
      const asked: string[] = [];
      const create = agent({ settings: { ...configured({ profile: 'gpu' }), permissionMode: 'acceptEdits' } });
      const client = await create(async ({ reason }) => {
        asked.push(reason);
        return { action: 'deny' };
      });
      await run(client, 'Go');
      assert.deepEqual(asked, ['package.json decides what is built, tested or run, so changing it asks in every mode']);
      assert.equal(await readFile(path.join(folder.path, 'a.txt'), 'utf8'), '1\n');
      assert.deepEqual(await readdir(folder.path), ['a.txt']);
    });

    it('starts each prompt without the earlier conversation if the agent is configured so', async () => {
      const fresh = { id: 'fresh', profile: 'gpu', includeHistory: false };
      const create = agent({ settings: configured({ agent: 'fresh' }, [fresh]) });
      const history: readonly Message[] = [
        { role: 'user', content: 'Before' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }], stopReason: 'stop' },
      ];
      const sent: unknown[] = [];
      for (const isForPrompt of [true, false]) {
        server.script({ text: 'Hi.' });
        await run(await create(nobody, { history, isForPrompt }), 'Now');
        sent.push(server.completions.at(-1)?.body.messages.filter(({ role }) => role === 'user').length);
      }
      assert.deepEqual(sent, [1, 2]);
    });

    it('accepts no more prompts than the agent allows', async () => {
      server.script({ text: 'Hi.' });
      const once = { id: 'once', profile: 'gpu', maxTurns: 1 };
      const client = await agent({ settings: configured({ agent: 'once' }, [once]) })();
      assert.equal(await run(client, 'Hello'), 'Hi.');
      const events = await record(client.run('Again'));
      assert.match(
        events.result.error?.message ?? '',
        /The agent "once" takes one prompt in a session \(maxTurns\)\. Start a new session\./,
      );
    });
  });
});
