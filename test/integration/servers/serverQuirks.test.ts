import assert from 'node:assert/strict';
import { defaultAgentSettings } from '../../../src/agent/configuration/agentSettings';
import { createAgent } from '../../../src/agent/configuration/createAgent';
import { KeyStore, memorySecrets } from '../../../src/agent/servers/keys';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { Client } from '../../../src/sdk/client';
import type { AgentEvent } from '../../../src/sdk/events';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { createOpenAIProvider } from '../../../src/sdk/model/openaiProvider';
import type { ModelEvent, ModelRequest, ToolDefinition } from '../../../src/sdk/model/modelProvider';
import { createNodePorts } from '../../../src/workspace/node/createNodePorts';
import { record } from '../../support/sessions/clients';
import { ModelServer, type Turn } from '../../support/servers/modelServer';
import { templateProblem } from '../../support/servers/strictTemplate';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

function rejection(status: number, message: string): Turn {
  return { kind: 'status', status, body: { error: { message } } };
}

describe('an agent on a server with quirks', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  let quirks: LearnedQuirks;
  const clients: Client[] = [];

  beforeEach(async () => {
    server = await ModelServer.start();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    quirks = new LearnedQuirks({ now: () => 0 });
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    assert.deepEqual(server.unexpected, []);
    await server.dispose();
    await folder.dispose();
  });

  async function agent(): Promise<Client> {
    const create = createAgent({
      settings: () => ({ ...defaultAgentSettings, baseUrl: server.baseUrl, model: 'gemma' }),
      ports: createNodePorts(),
      roots: () => [{ name: 'app', path: folder.path }],
      isTrusted: () => true,
      keys: new KeyStore({ secrets: memorySecrets() }),
      slots: new SlotQueue(),
      quirks,
      fetch: createFetch(),
      platform: 'linux',
    });
    const { client } = await create({
      history: [],
      recordCheckpoint: () => Promise.resolve(),
      sessionId: 's',
      ask: () => assert.fail('nobody may be asked'),
    });
    clients.push(client);
    return client;
  }

  function warnings(events: readonly AgentEvent[]): readonly string[] {
    return events.flatMap((event) => (event.type === 'warning' ? [`${event.code}: ${event.message}`] : []));
  }

  it('sends tools as text after the server rejected tools', async () => {
    const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
    server.script(
      rejection(400, 'registry.ollama.ai/library/gemma:2b does not support tools'),
      { text: `I look.\n${call}` },
      { text: 'It says one.' },
      { text: 'Hello again.' },
    );
    const { events, result } = await record((await agent()).run('What is in a.txt?'));
    assert.equal(result.primaryText, 'It says one.');
    const url = `${server.baseUrl}/chat/completions`;
    assert.deepEqual(warnings(events), [
      `server_quirk: ${url} does not take tools for gemma, so they are described in text, which works less well. Use a model whose template has tools, such as Qwen3 or gpt-oss. It says: registry.ollama.ai/library/gemma:2b does not support tools`,
    ]);
    const [rejected, first, second] = server.completions.map(({ body }) => body);
    assert.equal(rejected!.tools?.length, 6);
    for (const { tools, messages } of [first!, second!]) {
      assert.equal(tools, undefined);
      assert.equal(templateProblem(messages, false), undefined);
    }
    assert.match(first!.messages[0]!.content ?? '', /## read_file\(path: string/);
    assert.equal(JSON.stringify(second!.messages.slice(0, first!.messages.length)), JSON.stringify(first!.messages));
    assert.deepEqual(
      second!.messages.slice(first!.messages.length).map(({ role }) => role),
      ['assistant', 'user'],
    );
    assert.match(
      second!.messages.at(-1)!.content ?? '',
      /^<tool_response name="read_file">\n[^]*one[^]*<\/tool_response>$/,
    );

    const again = await record((await agent()).run('Hello'));
    assert.deepEqual([again.result.primaryText, warnings(again.events)], ['Hello again.', []]);
    assert.equal(server.completions.length, 4);
    assert.deepEqual(quirks.list(), [
      {
        endpoint: new URL(server.origin).href.slice(0, -1).replace('127.0.0.1', 'localhost'),
        model: 'gemma',
        quirks: { tools: 'text' },
        words: ['tools as text'],
      },
    ]);
  });

  it('sends the system prompt in the first user message after the server rejected the system role', async () => {
    server.script(
      rejection(500, "Jinja Exception: System role not supported at row 1: {{ raise_exception('System role') }}"),
      { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: 'It says one.' },
      { text: 'Hello again.' },
    );
    const { events, result } = await record((await agent()).run('What is in a.txt?'));
    assert.deepEqual([result.primaryText, warnings(events).length], ['It says one.', 1]);
    assert.match(warnings(events)[0] ?? '', /takes no system message for gemma/);
    const again = await record((await agent()).run('Hello'));
    assert.deepEqual([again.result.primaryText, warnings(again.events)], ['Hello again.', []]);

    const [rejected, ...taken] = server.completions.map(({ body }) => body.messages);
    const [system, question] = rejected ?? [];
    const [first, second, third] = taken;
    const folded = { role: 'user', content: `${system?.content}\n\n${question?.content}` };
    assert.deepEqual(first, [folded]);
    assert.deepEqual(
      second?.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.deepEqual(second?.[0], folded);
    assert.deepEqual(
      third?.map(({ role }) => role),
      ['user'],
    );
    assert.deepEqual(
      quirks.list().map((learned) => learned.quirks),
      [{ systemPrompt: 'user' }],
    );
  });

  it('asks for whole answers after the server rejected streams with tools', async () => {
    server.script(
      rejection(500, 'Cannot use tools with stream'),
      { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: 'one' },
    );
    const { result, events } = await record((await agent()).run('Read a.txt'));
    assert.equal(result.primaryText, 'one');
    assert.equal(warnings(events).length, 1);
    const sent = server.completions.map(({ body }) => [body.stream, 'stream_options' in body, body.tools?.length]);
    assert.deepEqual(sent, [
      [true, true, 6],
      [false, false, 6],
      [false, false, 6],
    ]);
  });

  it('retries once for each rejected feature', async () => {
    server.script(
      rejection(400, 'unknown field stream_options'),
      rejection(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      { text: 'Hi.' },
    );
    const { result, events } = await record((await agent()).run('Hello'));
    assert.deepEqual([result.primaryText, warnings(events).length], ['Hi.', 2]);
  });

  it('reports any other rejection', async () => {
    server.script(rejection(400, 'temperature must be 1'));
    const { result } = await record((await agent()).run('Hello'));
    assert.equal(result.error?.code, 'bad_request');
    assert.deepEqual(quirks.list(), []);
  });

  describe('the provider alone', () => {
    const plain: ToolDefinition = tool('plain', { type: 'string' });
    const dated: ToolDefinition = tool('dated', { type: 'string', format: 'date' });
    const odd: ToolDefinition = tool('odd', { type: 'string', not: {} });
    const tools = [plain, dated, odd];

    async function ask(request: Partial<ModelRequest>): Promise<readonly ModelEvent[]> {
      const provider = createOpenAIProvider({ baseUrl: server.baseUrl, quirks: quirks.memoryFor(server.baseUrl) });
      const whole: ModelRequest = {
        model: 'm',
        systemPrompt: 's',
        messages: [{ role: 'user', content: 'Hello' }],
        tools: [],
        sampling: {},
        ...request,
      };
      const events: ModelEvent[] = [];
      for await (const event of provider.stream(whole, { signal: new AbortController().signal })) events.push(event);
      return events;
    }

    const sentTools = () => server.completions.map(({ body }) => (body.tools ?? []).map(({ function: f }) => f));
    const sentNames = () => sentTools().map((tools) => tools.map(({ name }) => name).join(' '));
    const told = (events: readonly ModelEvent[]) =>
      events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));

    it('finds the tool with the rejected schema by halves, and strips only that, a little first', async () => {
      const [rejected, taken] = [rejection(400, 'failed to parse grammar'), { text: 'a' }];
      const limited = tool('limited', { type: 'string', maxLength: 3, not: {} });
      server.script(rejected, taken, rejected, taken, { text: 'Hi' });
      const events = await ask({ tools: [plain, limited, dated] });
      assert.equal(told(events).length, 1);
      assert.match(
        told(events)[0] ?? '',
        /the tool limited, so it is sent without pattern, format and limits of length/,
      );
      assert.deepEqual(sentNames(), ['plain limited dated', 'plain', 'limited', 'limited', 'plain limited dated']);
      assert.deepEqual(
        server.completions.map(({ body }) => body.max_tokens),
        [undefined, 1, 1, 1, undefined],
      );
      assert.deepEqual(
        sentTools()
          .at(-1)
          ?.map(({ parameters }) => parameters),
        [plain.inputSchema, tool('limited', { type: 'string', not: {} }).inputSchema, dated.inputSchema],
      );
      assert.deepEqual(quirks.list()[0]?.words, ['plain schemas of limited']);
    });

    it('leaves out all that is unusual before it drops a tool', async () => {
      const [rejected, taken] = [rejection(400, 'failed to parse grammar'), { text: 'a' }];
      server.script(rejected, taken, taken, rejected, taken, { text: 'Hi' });
      const events = await ask({ tools });
      assert.match(told(events)[0] ?? '', /the tool odd, so it is sent without everything but types/);
      assert.deepEqual(sentNames(), ['plain dated odd', 'plain', 'dated', 'odd', 'odd', 'plain dated odd']);
      server.script(rejected, { text: 'Hi' });
      await ask({ tools: [odd] });
      assert.deepEqual(quirks.memoryFor(server.baseUrl).get('m').droppedTools, []);
    });

    it('drops a tool that the server takes in no form', async () => {
      const [rejected, taken] = [rejection(400, 'failed to parse grammar'), { text: 'a' }];
      server.script(rejected, taken, taken, rejected, rejected, { text: 'Hi' });
      const events = await ask({ tools });
      assert.match(told(events)[0] ?? '', /the tool odd, so the model does not get that tool/);
      assert.deepEqual(sentNames().at(-1), 'plain dated');
    });

    it('strips the tool that the server names without a search, step by step', async () => {
      const rejected = rejection(400, "Invalid schema for function 'odd': keyword 'maxLength' is not supported");
      const both = tool('odd', { maxLength: 3, oneOf: [{ type: 'string' }] });
      server.script(rejected, rejected, rejected, { text: 'Hi' });
      const events = await ask({ tools: [plain, dated, both] });
      assert.deepEqual(
        told(events).map((text) => /so it is sent without (.*?)\. It says/.exec(text)?.[1]),
        [
          'pattern, format and limits of length',
          'oneOf, $ref and invalid types',
          'pattern, format, oneOf, $ref, limits of length and invalid types',
        ],
      );
      assert.equal(server.completions.length, 4);
    });

    it('drops no tool when the server would reject any', async () => {
      const rejected = rejection(400, 'failed to parse grammar');
      server.script(rejected, rejected, rejected, rejected);
      const events = await ask({ tools });
      assert.equal(events.at(-1)?.type, 'error');
      assert.equal(server.completions.length, 4);
      assert.deepEqual(quirks.memoryFor(server.baseUrl).get('m').droppedTools, []);
    });

    it('sends no earlier reasoning to a server that rejects it', async () => {
      server.script(rejection(400, "property 'reasoning_content' is unsupported"), { text: 'Hi' });
      const thought = { type: 'thinking', text: 'Hm.' } as const;
      await ask({
        tools: [plain],
        messages: [
          { role: 'user', content: 'Go' },
          { role: 'assistant', content: [thought, { type: 'tool_use', id: '1', name: 'plain', input: {} }] },
          { role: 'tool', content: { type: 'tool_result', toolUseId: '1', content: 'ok', isError: false } },
        ],
      });
      assert.deepEqual(
        server.completions.map(({ body }) => body.messages[2]!['reasoning_content']),
        ['Hm.', undefined],
      );
    });

    it('asks for the whole answer after a stream without a word, and reads the reason there', async () => {
      const empty: Turn = { kind: 'raw', writes: [''] };
      server.script(empty, { text: 'Hi' });
      const answered = await ask({});
      assert.match(told(answered)[0] ?? '', /ended its answer before it began/);
      assert.equal(answered.at(-1)?.type, 'response_end');
      server.script(empty, rejection(400, 'Requested tokens (5031) exceed context window of 4096'));
      const last = (await ask({})).at(-1);
      assert.equal(last?.type === 'error' && last.error.contextLimit, 4_096);
      assert.deepEqual(
        server.completions.map(({ body }) => body.stream),
        [true, false, true, false],
      );
      server.script(empty, { kind: 'raw', writes: [''] });
      const failed = (await ask({})).at(-1);
      assert.equal(failed?.type === 'error' && failed.error.code, 'stream_broken');
    });

    it('asks for the whole answer after an end marker alone, and not after an answer that is empty by a reason', async () => {
      server.script({ kind: 'raw', writes: ['data: [DONE]\n\n'] }, { text: 'Hi' });
      const answered = await ask({});
      assert.match(told(answered)[0] ?? '', /ended its answer before it began/);
      const last = answered.at(-1);
      assert.deepEqual(last?.type === 'response_end' && last.content, [{ type: 'text', text: 'Hi' }]);
      server.script({ text: '' });
      assert.equal((await ask({})).at(-1)?.type, 'response_end');
      assert.deepEqual(
        server.completions.map(({ body }) => body.stream),
        [true, false, true],
      );
    });

    it('sends null content beside tool calls', async () => {
      server.script(rejection(400, "The assistant message's content must be null when tool_calls are given."), {
        text: 'Hi',
      });
      await ask({
        tools: [plain],
        messages: [
          { role: 'user', content: 'Go' },
          { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'plain', input: {} }] },
          { role: 'tool', content: { type: 'tool_result', toolUseId: '1', content: 'ok', isError: false } },
        ],
      });
      assert.deepEqual(
        server.completions.map(({ body }) => body.messages[2]!.content),
        ['', null],
      );
    });

    it('lowers the token limit if the requested one does not fit', async () => {
      server.script(
        rejection(400, 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens.'),
        { text: 'Hi' },
      );
      await ask({ sampling: { maxTokens: 9_000 } });
      assert.deepEqual(
        server.completions.map(({ body }) => body['max_tokens']),
        [9_000, 4_096],
      );
    });

    it('learns from an error inside an answer, but not after content', async () => {
      const error = `data: ${JSON.stringify({ error: { code: 400, message: 'm does not support tools' } })}\n\n`;
      const text = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\n\n`;
      server.script({ kind: 'raw', writes: [error] }, { text: 'Hello' });
      const learned = await ask({ tools });
      assert.equal(learned.at(-1)?.type, 'response_end');
      quirks.reset();
      server.script({ kind: 'raw', writes: [text, error] });
      const ended = (await ask({ tools })).at(-1);
      assert.deepEqual(
        [ended?.type, ended?.type === 'error' && ended.partial],
        ['error', [{ type: 'text', text: 'Hi' }]],
      );
      assert.deepEqual(quirks.list(), []);
    });
  });
});

function tool(name: string, schema: ToolDefinition['inputSchema']): ToolDefinition {
  return { name, description: name, inputSchema: { type: 'object', properties: { value: schema } } };
}
