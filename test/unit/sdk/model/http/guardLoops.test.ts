import assert from 'node:assert/strict';
import { guardLoops } from '../../../../../src/sdk/model/http/guardLoops';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../../../src/sdk/model/modelProvider';
import { StreamAggregator } from '../../../../../src/sdk/model/stream/streamAggregator';
import { collect } from '../../../../support/sessions/clients';
import { response, toolUse } from '../../../../support/servers/scriptedProvider';
import { tools } from '../streamFixtures';

const request: ModelRequest = { model: 'm', systemPrompt: '', messages: [], tools: [], sampling: {} };

function play(events: Iterable<ModelEvent>): { readonly provider: ModelProvider; readonly state: { open: boolean } } {
  const state = { open: false };
  const provider: ModelProvider = {
    async *stream() {
      state.open = true;
      try {
        yield* events;
      } finally {
        state.open = false;
      }
    },
  };
  return { provider, state };
}

async function stream(events: Iterable<ModelEvent>): Promise<{ all: ModelEvent[]; last: ModelEvent | undefined }> {
  const { provider, state } = play(events);
  const all = await collect<ModelEvent>(guardLoops(provider).stream(request, { signal: new AbortController().signal }));
  assert.equal(state.open, false);
  return { all, last: all.at(-1) };
}

function* endless(delta: ModelEvent): Generator<ModelEvent> {
  for (let count = 0; count < 100_000; count++) yield delta;
  assert.fail('nobody stopped it');
}

describe('guardLoops', () => {
  it('passes on an answer without repetition', async () => {
    const events = response([{ type: 'text', text: 'Hello' }, toolUse('c1', 'read')]);
    assert.deepEqual((await stream(events)).all, events);
  });

  it('cuts a text that repeats itself, keeps one copy and says why', async () => {
    const again = 'I will check again.\n';
    const { all, last } = await stream(
      (function* () {
        yield { type: 'thinking_delta', block: 0, text: 'Hm.' };
        yield { type: 'block_end', block: 0, content: { type: 'thinking', text: 'Hm.' } };
        yield { type: 'text_delta', block: 1, text: 'First. ' };
        yield* endless({ type: 'text_delta', block: 1, text: again });
      })(),
    );
    const kept = { type: 'text', text: `First. ${again}` } as const;
    assert.deepEqual(all.at(-2), { type: 'block_end', block: 1, content: kept });
    assert.deepEqual(last, {
      type: 'error',
      error: {
        code: 'loop_detected',
        message:
          'm kept repeating the same text, so its answer was cut off. Continue, rephrase the prompt, or use another model or sampling.',
      },
      partial: [{ type: 'thinking', text: 'Hm.' }, kept],
    });
  });

  it('cuts thinking that repeats itself', async () => {
    const { last } = await stream(endless({ type: 'thinking_delta', block: 0, text: 'Wait, no. ' }));
    assert.ok(last?.type === 'error' && /its thinking was cut off/.test(last.error.message));
    assert.deepEqual(last.partial, [{ type: 'thinking', text: 'Wait, no. ' }]);
  });

  it('allows much more repetition in arguments, but not without end', async () => {
    const start: ModelEvent = { type: 'tool_use_start', block: 0, id: 'c1', name: 'write_file' };
    const zeros: ModelEvent = { type: 'tool_use_delta', block: 0, id: 'c1', argumentsDelta: '0, 0, 0, 0, 0, ' };
    const sound = [start, ...Array.from({ length: 1_000 }, () => zeros), ...response([toolUse('c1', 'write_file')])];
    assert.deepEqual((await stream(sound)).all, sound);

    const { all, last } = await stream(
      (function* () {
        yield start;
        yield* endless(zeros);
      })(),
    );
    assert.ok(last?.type === 'error' && /its tool call was cut off/.test(last.error.message));
    const ended = all.at(-2);
    assert.ok(ended?.type === 'block_end' && ended.content.type === 'tool_use_error');
    assert.equal(ended.content.toolUseId, 'c1');
  });

  it('cuts an answer with seven hundred calls, and passes one with sixty', async () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => toolUse(`c${index}`, 'read_file', { path: `${index}.ts` }));
    assert.equal((await stream(response(calls(60)))).last?.type, 'response_end');
    const { all, last } = await stream(response(calls(700)));
    assert.ok(last?.type === 'error' && last.error.code === 'loop_detected');
    assert.match(last.error.message, /more than 100 tool calls in one answer.*none was executed/);
    assert.equal(all.filter(({ type }) => type === 'tool_use_start').length, 101);
    assert.equal(all.filter(({ type }) => type === 'block_end').length, 101);
  });

  describe('sees a loop after any beginning, also where text is held back', () => {
    const beginnings: readonly (readonly [string, string, ('content' | 'reasoning_content')?])[] = [
      ['', '!'],
      ['', 'GGGG'],
      ['', 'GGGG', 'reasoning_content'],
      ['', '\n'],
      ['', ' ', 'reasoning_content'],
      ['{', '\n'],
      ['```json\n', '\n'],
      ['{"name":"read_file","arguments":{', '\n'],
      ['<tool_call>\n{"name":"read_file","arguments":{"path":"', 'ab '],
      ['<think>', '\n'],
      ['<think>Hm.</think>', '\n'],
      ['[TOOL_CALLS][', '\n'],
      ['<|channel|>analysis<|message|>', '\n'],
      ['<|channel|>final<|message|>Hi<|end|>', '\n'],
      ['<|channel|>commentary to=functions.read_file<|message|>{"path":"a"}', '\n'],
      ['<|channel|>commentary to=functions.read_file<|message|>{"path":"', 'ab '],
    ];
    for (const [beginning, again, field = 'content'] of beginnings) {
      it(`${field} ${JSON.stringify(beginning)}, then ${JSON.stringify(again)} for ever`, async () => {
        const aggregator = new StreamAggregator({ tools });
        const { last } = await stream(
          (function* () {
            for (let count = 0; count < 20_000; count++) {
              const text = count === 0 ? beginning : again;
              aggregator.accept({ choices: [{ delta: { [field]: text } }] });
              yield* aggregator.takeEvents();
            }
            assert.fail('nobody stopped it');
          })(),
        );
        assert.ok(last?.type === 'error');
        assert.equal(last.error.code, 'loop_detected');
      });
    }
  });
});
