import assert from 'node:assert/strict';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { McpOffer } from '../../../src/mcp/mcpServers';
import { createMcpTool, type McpTool } from '../../../src/mcp/mcpTool';
import { fakeNavigation } from '../../support/fakeNavigation';
import { createGate, ModelServer } from '../../support/servers/modelServer';

import { useAgents } from '../../support/sessions/agents';

describe('createAgent', () => {
  const bench = useAgents();
  const { agent, run } = bench;

  it('offers the workspace tools in order, and sends no unset sampling', async () => {
    bench.server.script({ text: 'Hi.' });
    assert.equal(await run(await agent()(), 'Hello'), 'Hi.');
    const { body } = bench.server.completions[0]!;
    assert.deepEqual(
      body.tools?.map((tool) => tool.function.name),
      ['read_file', 'list_directory', 'search_text', 'apply_edit', 'write_file', 'run_terminal_command'],
    );
    for (const field of ['temperature', 'max_tokens', 'top_p', 'tool_choice'])
      assert.equal(field in body, false, field);
    assert.match(body.messages[0]!.content ?? '', /Paths are relative to the workspace folder\./);
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
  const names = () => bench.server.completions.at(-1)!.body.tools?.map((tool) => tool.function.name) ?? [];
  const system = () => bench.server.completions.at(-1)!.body.messages[0]!.content ?? '';

  it('offers the MCP tools that the agent may use after its own, with the instructions of their servers', async () => {
    bench.server.script({ text: 'Hi.' }, { text: 'Hi.' });
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

  it('offers the tools of language servers to clients that begin after one has answered', async () => {
    bench.server.script({ text: 'Hi.' }, { text: 'Hi.' }, { text: 'Hi.' }, { text: 'Hi.' });
    let isReady = false;
    const codeNavigation = { ...fakeNavigation(), isReady: async () => isReady };
    const make = agent({ codeNavigation });
    const before = await make();
    await run(before, 'Hello');
    isReady = true;
    await run(before, 'Hello again');
    assert.equal(names().includes('find_symbol'), false);
    const after = await make();
    await run(after, 'Hello');
    isReady = false;
    await run(after, 'Hello again');
    assert.equal(names().at(-1), 'find_symbol');
  });

  it('does not use MCP servers in an untrusted workspace', async () => {
    bench.server.script({ text: 'Hi.' });
    await run(await agent({ mcp: () => assert.fail('no server is used'), isTrusted: () => false })(), 'Hello');
    assert.doesNotMatch(`${names().join()} ${system()}`, /mcp/);
  });

  it('sends the sampling from the settings', async () => {
    bench.server.script({ text: 'Hi.' });
    const settings = { temperature: 0.2, maxTokens: 512, systemPrompt: 'Use tabs.' };
    await run(await agent({ settings })(), 'Hello');
    const { temperature, max_tokens, messages } = bench.server.completions[0]!.body;
    assert.deepEqual([temperature, max_tokens], [0.2, 512]);
    assert.match(messages[0]!.content ?? '', /From the user:\nUse tabs\.$/);
  });

  it('begins every request with the bytes of the last one', async () => {
    bench.server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: 'one' },
      { text: 'Bye.' },
    );
    const client = await agent()();
    await run(client, 'Read a.txt');
    await run(client, 'Thanks');
    const [first, second, third] = bench.server.completions.map(({ body }) => body);
    assert.equal(JSON.stringify(second!.tools), JSON.stringify(first!.tools));
    assert.equal(JSON.stringify(third!.tools), JSON.stringify(first!.tools));
    const start = (messages: readonly unknown[], count: number): string => JSON.stringify(messages.slice(0, count));
    assert.equal(start(second!.messages, first!.messages.length), JSON.stringify(first!.messages));
    assert.equal(start(third!.messages, second!.messages.length), JSON.stringify(second!.messages));
  });

  it('tells gateways which requests are of one session, and nothing about it', async () => {
    bench.server.script({ text: 'Hi.' }, { text: 'Hi.' }, { text: 'Hi.' }, { text: 'Hi.' });
    const sessionId = '/home/anna/secret-project';
    const make = agent();
    const first = await make(undefined, { sessionId });
    await run(first, 'Hello');
    await run(first, 'Hello again');
    await run(await agent()(undefined, { sessionId }), 'Hello');
    await run(await make(undefined, { sessionId: 'another' }), 'Hello');
    const sent = bench.server.completions.map(({ headers }) => headers['x-session-id']);
    assert.deepEqual(
      sent,
      bench.server.completions.map(({ headers }) => headers['x-litellm-session-id']),
    );
    assert.match(String(sent[0]), /^[0-9a-f]{32}$/);
    assert.deepEqual([sent[1], sent[2]], [sent[0], sent[0]]);
    assert.notEqual(sent[3], sent[0]);
    // Nothing of it is in the prompt, which begins with the same bytes for all sessions.
    const bodies = bench.server.completions.map(({ body }) => JSON.stringify(body));
    assert.equal(bodies[0], bodies[3]);
    assert.ok(bodies.every((body) => !body.includes(String(sent[0]))));
  });

  it('finds the model and the number of slots', async () => {
    bench.server.script({ text: 'Hi.' });
    const slots = new SlotQueue();
    const client = await agent({ settings: { model: '' }, slots })();
    await run(client, 'Hello');
    assert.equal(bench.server.completions[0]!.body.model, 'test-model');
  });

  it('probes a configured server in parallel with the first request', async () => {
    const gate = createGate();
    bench.server.script({ text: ['Hi', gate, '.'] });
    const slots = new SlotQueue();
    const sized = new Promise<readonly [string, number]>((resolve) => {
      slots.setSize = (...size) => resolve(size);
    });
    const client = await agent({ slots })();
    assert.equal(bench.server.requests.length, 0);
    const running = run(client, 'Hello');
    assert.deepEqual(await sized, [bench.server.baseUrl, 1]);
    gate.open();
    assert.equal(await running, 'Hi.');
    assert.equal(client.contextWindow, 32_768);
  });

  it('warns once about a model not made for tool calls, and about a tool that needs an editor', async () => {
    bench.server.setRoute('/props', {
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
      'The chat template of test-model has no tools, so they are described in text, which works less well. ' +
        'Start the server with a template that has tools, or choose another model.',
    ]);
  });

  it('summarises old messages when the context window is full, and continues', async () => {
    const overflow = 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it';
    bench.server.script(
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
    assert.deepEqual(bench.server.unexpected, []);
  });

  it('uses the context window from the settings', async () => {
    bench.server.script({ text: 'Hi.' });
    const client = await agent({ settings: { contextWindow: 16_384 } })();
    await run(client, 'Hello');
    assert.equal(client.contextWindow, 16_384);
  });

  it('describes tools in text if the model is configured so', async () => {
    bench.server.script(
      { text: '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>' },
      { text: 'one' },
    );
    const modelOptions = { 'm*': { toolCalls: 'native' }, m: { toolCalls: 'text' } } as const;
    assert.equal(await run(await agent({ settings: { modelOptions } })(), 'Read a.txt'), 'one');
    const [first, second] = bench.server.completions.map(({ body }) => body);
    assert.equal(first!.tools, undefined);
    assert.match(first!.messages[0]!.content ?? '', /read_file/);
    assert.match(second!.messages.at(-1)!.content ?? '', /one/);
  });

  it("keeps native calls if they are configured, and reports the server's objection", async () => {
    const said = 'm does not support tools';
    bench.server.script({ kind: 'status', status: 400, body: { error: { message: said } } });
    const client = await agent({ settings: { modelOptions: { m: { toolCalls: 'native' } } } })();
    const warnings: string[] = [];
    const events = client.run('Hello');
    let next = await events.next();
    for (; !next.done; next = await events.next()) if (next.value.type === 'warning') warnings.push(next.value.message);
    assert.equal(next.value.outcome, 'error');
    assert.match(next.value.error?.message ?? '', new RegExp(said));
    assert.deepEqual([bench.server.completions.length, warnings], [1, []]);
  });

  it('resends the thoughts of earlier turns if the model wants them', async () => {
    bench.server.script({ thinking: 'Hm.', text: 'Hi.' }, { text: 'Bye.' });
    const client = await agent({ settings: { modelOptions: { m: { replayReasoning: 'always' } } } })();
    await run(client, 'Hello');
    await run(client, 'And now?');
    assert.equal(bench.server.completions[1]!.body.messages[2]!['reasoning_content'], 'Hm.');
  });

  it('retries a request that failed temporarily, and holds no slot while it waits', async () => {
    bench.server.script({ kind: 'status', status: 503, body: 'busy' }, { text: 'Hi.' });
    const slots = new SlotQueue();
    const seen: (number | string)[] = [];
    const text = await run(await agent({ slots })(), 'Hello', (event) => {
      if (event.type === 'retry') seen.push(event.attempt, slots.ahead(bench.server.baseUrl));
    });
    assert.deepEqual([text, seen], ['Hi.', [1, 0]]);
  });

  it('rejects with the cause when there is no model', async () => {
    await bench.replaceServer(() => ModelServer.start({ models: [] }));
    await assert.rejects(agent({ settings: { model: '' } })(), {
      name: 'AgentError',
      code: 'not_found',
      message: /has no model/,
    });
  });

  it('sends a key only to the server it was entered for', async () => {
    bench.server.script({ text: 'Hi.' }, { text: 'Hi.' });
    const keys = new KeyStore({ secrets: memorySecrets() });
    await keys.set('http://elsewhere.example/v1', 'sk-other');
    await run(await agent({ keys })(), 'Hello');
    await keys.set(bench.server.baseUrl, 'sk-mine');
    await run(await agent({ keys })(), 'Hello');
    const sent = bench.server.completions.map(({ headers }) => headers.authorization);
    assert.deepEqual(sent.at(-1), 'Bearer sk-mine');
    assert.equal(JSON.stringify(bench.server.requests.map(({ headers }) => headers)).includes('sk-other'), false);
  });

  it('refuses every tool in an untrusted workspace, and still offers the same tools', async () => {
    const call = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };
    bench.server.script(call, { text: 'I may not.' }, call, { text: 'one' });
    let isTrusted = false;
    const create = agent({ isTrusted: () => isTrusted });
    await run(await create(), 'Read a.txt');
    isTrusted = true;
    await run(await create(), 'Read a.txt');
    const [first, refused, second, read] = bench.server.completions.map(({ body }) => body);
    assert.match(refused!.messages.at(-1)!.content ?? '', /^The call was denied\..*workspace is not trusted/);
    assert.match(read!.messages.at(-1)!.content ?? '', /one/);
    assert.equal(JSON.stringify(first!.tools), JSON.stringify(second!.tools));
  });

  it('reveals nothing about files of an untrusted workspace in the errors of tools', async () => {
    bench.server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'A.TXT' } }] },
      { toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'on', new_text: 'x' }] } }] },
      {
        toolCalls: [{ name: 'apply_edit', arguments: { path: 'a.txt', edits: [{ old_text: 'ons', new_text: 'x' }] } }],
      },
      { toolCalls: [{ name: 'list_directory', arguments: { path: 'nowhere' } }] },
      { text: 'I may not.' },
    );
    await run(await agent({ isTrusted: () => false })(), 'Look around');
    const results = bench.server.completions.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
    assert.equal(results.length, 4);
    for (const { content } of results) assert.match(content ?? '', /^The call was denied\..*workspace is not trusted/);
  });

  it('lets sessions take turns on a server with one slot', async () => {
    const gate = createGate();
    bench.server.script({ text: ['Fir', gate, 'st.'] }, { text: 'Second.' });
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
    assert.equal(bench.server.completions.length, 1);
    gate.open();
    assert.deepEqual(await Promise.all([first, second]), ['First.', 'Second.']);
    assert.equal(await bench.server.completions[0]!.closed, 'sent');
  });

  it('blocks no other session while it waits for a person', async () => {
    bench.server.script(
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
});
