import assert from 'node:assert/strict';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import { reportText } from '../../../src/agent/view/server/doctorReport';
import {
  callText,
  examine,
  questionOf,
  startDoctorServer,
  type DoctorServerOptions,
} from '../../support/servers/doctorServer';
import { createGate } from '../../support/servers/modelServer';

describe('doctor', () => {
  const fine = [
    'server: ok',
    'model: ok',
    'streaming: ok',
    'native_tools: ok',
    'text_tools: skipped',
    'parallel_calls: ok',
    'tool_result: ok',
    'reasoning: ok',
    'context_window: ok',
    'prompt_cache: ok',
    'slots: ok',
  ];
  const changed = (changes: Readonly<Record<string, string>>): readonly string[] =>
    fine.map((line) => {
      const id = line.split(':')[0]!;
      return `${id}: ${changes[id] ?? line.slice(id.length + 2)}`;
    });

  const jinja = {
    status: 500,
    body: { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
  };
  const noParser = {
    status: 400,
    body: {
      error: {
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        code: 400,
      },
    },
  };
  const noTools = {
    status: 400,
    body: { error: { message: 'registry.ollama.ai/library/gemma2:9b does not support tools', type: 'api_error' } },
  };
  const whenNative =
    (answer: { readonly status: number; readonly body: object }, number: number) =>
    ({ body }: { readonly body: { readonly tools?: unknown } }) =>
      body.tools === undefined ? { text: callText(number) } : ({ kind: 'status', ...answer } as const);

  const cases: readonly {
    readonly name: string;
    readonly server: DoctorServerOptions;
    readonly outline: readonly string[];
    /** The text to paste, by check. */
    readonly copies: Readonly<Record<string, string>>;
    readonly tools?: 'text';
  }[] = [
    { name: 'a healthy llama.cpp', server: {}, outline: fine, copies: {} },
    {
      name: 'a llama.cpp without --jinja, with a small window shared by four slots and no cache',
      server: { contextWindow: 4096, slots: 4, cachedTokens: 0, replies: { call: whenNative(jinja, 42) } },
      outline: changed({
        native_tools: 'advice',
        text_tools: 'ok',
        context_window: 'problem',
        prompt_cache: 'advice',
        slots: 'advice',
      }),
      copies: { native_tools: '--jinja', context_window: '-c 32768', prompt_cache: '-np 1', slots: '-np 1' },
      tools: 'text',
    },
    {
      name: 'a healthy Ollama, which says nothing of cache and slots',
      server: { kind: 'ollama', cachedTokens: null },
      outline: changed({ prompt_cache: 'unknown', slots: 'unknown' }),
      copies: {},
    },
    {
      name: 'an Ollama with a model without tools and the window it comes with',
      server: {
        kind: 'ollama',
        cachedTokens: null,
        isSilentOnWindow: true,
        replies: { call: whenNative(noTools, 42) },
      },
      outline: changed({
        native_tools: 'advice',
        text_tools: 'ok',
        context_window: 'advice',
        prompt_cache: 'unknown',
        slots: 'unknown',
      }),
      copies: { native_tools: 'ollama pull qwen3:8b', context_window: 'OLLAMA_CONTEXT_LENGTH=32768' },
      tools: 'text',
    },
    {
      name: 'a healthy LM Studio',
      server: { kind: 'lmstudio', cachedTokens: null },
      outline: changed({ prompt_cache: 'unknown', slots: 'unknown' }),
      copies: {},
    },
    {
      name: 'an LM Studio with a small window, whose model calls in text of its own and thinks in tags',
      server: {
        kind: 'lmstudio',
        contextWindow: 8192,
        cachedTokens: null,
        replies: { plain: { text: '<think>Count.</think>1 2 3' }, call: { text: callText(42), finishReason: 'stop' } },
      },
      outline: changed({
        native_tools: 'advice',
        reasoning: 'advice',
        context_window: 'advice',
        prompt_cache: 'unknown',
        slots: 'unknown',
      }),
      copies: { context_window: 'lms load MODEL --context-length 32768' },
    },
    { name: 'a healthy vLLM', server: { kind: 'vllm' }, outline: changed({ slots: 'unknown' }), copies: {} },
    {
      name: 'a vLLM without parsers that keeps quiet about its cache',
      server: {
        kind: 'vllm',
        cachedTokens: null,
        replies: { plain: { text: '<think>Count.</think>1 2 3' }, call: whenNative(noParser, 42) },
      },
      outline: changed({
        native_tools: 'advice',
        text_tools: 'ok',
        reasoning: 'advice',
        prompt_cache: 'unknown',
        slots: 'unknown',
      }),
      copies: {
        native_tools: '--enable-auto-tool-choice --tool-call-parser hermes',
        reasoning: '--reasoning-parser qwen3',
        prompt_cache: '--enable-prompt-tokens-details',
      },
      tools: 'text',
    },
  ];
  for (const { name, server: options, outline, copies, tools = 'native' } of cases) {
    it(`examines ${name}`, async () => {
      await using server = await startDoctorServer(options);
      const quirks = new LearnedQuirks({ now: () => 0 }).memoryFor(server.baseUrl);
      const examined = await examine({ baseUrl: server.baseUrl, quirks });
      assert.deepEqual(examined.outline, outline);
      const copied = examined.findings.flatMap(({ id, remedy }) =>
        remedy?.copy === undefined ? [] : [[id, remedy.copy]],
      );
      assert.deepEqual(Object.fromEntries(copied), copies);
      assert.equal(quirks.get('test-model').tools, tools);
      assert.equal(examined.hasLearned, tools === 'text');
      assert.deepEqual(server.unexpected, []);
      assert.ok(server.completions.length <= 10, `${server.completions.length} requests`);
      assert.ok(server.completions.every(({ body }) => Number(body['max_tokens']) <= 512));
    });
  }

  it('offers tools natively again if they work now', async () => {
    await using server = await startDoctorServer();
    const quirks = new LearnedQuirks({ now: () => 0 }).memoryFor(server.baseUrl);
    const droppedTools = ['mcp_thing'];
    quirks.learn('test-model', { ...quirks.get('test-model'), tools: 'text', droppedTools });
    const { finding, hasLearned } = await examine({ baseUrl: server.baseUrl, quirks });
    assert.deepEqual([hasLearned, quirks.get('test-model').tools], [true, 'native']);
    // Anything it did not check stays unchanged.
    assert.deepEqual(quirks.get('test-model').droppedTools, droppedTools);
    assert.match(finding('native_tools').detail, /From now on Open Agent offers tools to this model natively/);
  });

  it('sends one question at a time, and waits for an unfinished answer', async () => {
    await using server = await startDoctorServer();
    const slots = new SlotQueue();
    const running = await slots.acquire(server.baseUrl, new AbortController().signal);
    const seen: string[] = [];
    const { outline } = await examine({ baseUrl: server.baseUrl, slots }, undefined, ({ checks }) => {
      const current = checks.find(({ status }) => status === 'running');
      if (current?.status !== 'running') return;
      seen.push(current.doing);
      if (current.doing === 'Waiting for the running answer') {
        assert.equal(server.completions.length, 0);
        setImmediate(() => {
          // The unfinished answer, and the question after it.
          assert.equal(slots.ahead(server.baseUrl), 2);
          running?.release();
        });
      }
    });
    assert.deepEqual(outline, fine);
    assert.equal(seen.filter((doing) => doing === 'Waiting for the running answer').length, 1);
    assert.equal(slots.ahead(server.baseUrl), 0);
  });

  it('stops within a question, and keeps its findings', async () => {
    const gate = createGate();
    await using server = await startDoctorServer({ replies: { call: { text: ['I ', gate, 'think'] } } });
    const stopping = new AbortController();
    const slots = new SlotQueue();
    const done = examine({ baseUrl: server.baseUrl, slots }, stopping.signal);
    await gate.reached;
    stopping.abort();
    const { report, outline, hasLearned, finding } = await done;
    assert.equal(report.state, 'stopped');
    assert.deepEqual(outline, [...fine.slice(0, 3), ...fine.slice(3).map((line) => `${line.split(':')[0]}: skipped`)]);
    assert.deepEqual(finding('native_tools'), { status: 'skipped', detail: 'The check was stopped.' });
    assert.equal(hasLearned, false);
    assert.equal(await (await server.completion(2)).closed, 'broken');
    assert.equal(slots.ahead(server.baseUrl), 0);
    gate.open();
  });

  it('shows every check from the start, and its progress', async () => {
    await using server = await startDoctorServer();
    const { progress, report } = await examine({ baseUrl: server.baseUrl });
    assert.deepEqual(
      progress[0]?.checks.map(({ id, status }) => `${id}: ${status}`),
      fine.map((line) => `${line.split(':')[0]}: waiting`),
    );
    const running = progress.map(({ checks }) => checks.filter(({ status }) => status === 'running').length);
    assert.ok(Math.max(...running) === 1);
    assert.deepEqual([report.state, report.serverName, report.model], ['finished', 'llama.cpp', 'test-model']);
  });

  it('sends the key with each question, and never reports it', async () => {
    const apiKey = 'sk-very-secret-key';
    await using server = await startDoctorServer({
      apiKey,
      replies: { call: { kind: 'status', status: 500, body: { error: { message: `Bad thing for ${apiKey}` } } } },
    });
    const { report, outline } = await examine({ baseUrl: server.baseUrl, apiKey });
    assert.equal(outline[3], 'native_tools: problem');
    assert.ok(!JSON.stringify(report).includes(apiKey));
    assert.ok(!reportText(report).includes(apiKey));
    assert.ok(server.completions.every(({ headers }) => headers.authorization === `Bearer ${apiKey}`));
  });

  it('uses the loaded model when none is set', async () => {
    await using server = await startDoctorServer({ models: ['only-model'] });
    const { report } = await examine({ baseUrl: server.baseUrl, model: '' });
    assert.equal(report.model, 'only-model');
    assert.ok(server.completions.every(({ body }) => body.model === 'only-model'));
    assert.deepEqual(server.completions.map(questionOf), [
      'plain',
      'call',
      'parallel',
      'together',
      'result',
      'cache',
      'cache',
    ]);
  });
});
