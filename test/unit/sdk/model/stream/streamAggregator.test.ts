import assert from 'node:assert/strict';
import type { ModelResponse } from '../../../../../src/sdk/model/modelProvider';
import { mintToolUseId, StreamAggregator } from '../../../../../src/sdk/model/stream/streamAggregator';
import { aggregate, callChunk, deltaChunk, finishChunk, splits, textChunk, tools } from '../streamFixtures';

function contentOf(chunks: readonly unknown[], options?: Parameters<typeof aggregate>[1]): ModelResponse['content'] {
  return aggregate(chunks, options).response.content;
}

function call(fields: { index?: number; id?: string; name?: string; args?: unknown }): unknown {
  const { index, id, name, args } = fields;
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  };
}

const text = (value: string) => ({ type: 'text', text: value });
const thinking = (value: string) => ({ type: 'thinking', text: value });
const use = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input });

describe('StreamAggregator', () => {
  it('gives events in the order of a text with a call after it', () => {
    const { events, response } = aggregate([
      { id: 'r1', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: null } }] },
      textChunk('Let me '),
      textChunk('look.'),
      callChunk(call({ index: 0, id: 'c1', name: 'read_file', args: '{"path":' })),
      callChunk(call({ index: 0, args: '"a"}' })),
      finishChunk('tool_calls'),
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
    ]);
    const block = use('c1', 'read_file', { path: 'a' });
    assert.deepEqual(events, [
      { type: 'text_delta', block: 0, text: 'Let me look.' },
      { type: 'block_end', block: 0, content: text('Let me look.') },
      { type: 'tool_use_start', block: 1, id: 'c1', name: 'read_file' },
      { type: 'tool_use_delta', block: 1, id: 'c1', argumentsDelta: '{"path":"a"}' },
      { type: 'block_end', block: 1, content: block },
    ]);
    assert.deepEqual(response, {
      responseId: 'r1',
      model: 'm',
      content: [text('Let me look.'), block],
      stopReason: 'tool_use',
      usage: { promptTokens: 7, completionTokens: 3 },
    });
  });

  it('counts text and a call in one chunk', () => {
    const chunk = deltaChunk({
      content: 'Now.',
      tool_calls: [call({ index: 0, id: 'c', name: 'read_file', args: '{}' })],
    });
    assert.deepEqual(contentOf([chunk, finishChunk('stop')]), [text('Now.'), use('c', 'read_file', {})]);
  });

  it('ignores chunks without choices, deltas or content', () => {
    const odd = [
      {},
      null,
      7,
      'x',
      { choices: [] },
      { choices: null },
      { choices: [{}] },
      { choices: [{ delta: null }] },
    ];
    assert.deepEqual(contentOf([...odd, textChunk('a'), deltaChunk({ content: null }), finishChunk('stop')]), [
      text('a'),
    ]);
  });

  it('reads a complete answer, but not again after its stream', () => {
    const message = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm' };
    const whole = { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    assert.deepEqual(contentOf([whole]), [thinking('Hm'), text('Hi')]);
    assert.deepEqual(contentOf([textChunk('H'), textChunk('i'), whole]), [text('Hi')]);
  });

  it('reads content given as parts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Hi' },
    ];
    assert.deepEqual(contentOf([deltaChunk({ content }), finishChunk('stop')]), [thinking('Hm'), text('Hi')]);
  });

  it('drops a text of white space alone', () => {
    const calls = callChunk(call({ index: 0, id: 'c', name: 'read_file', args: '{}' }));
    assert.deepEqual(contentOf([textChunk('\n\n'), calls, textChunk('\n'), finishChunk('tool_calls')]), [
      use('c', 'read_file', {}),
    ]);
  });

  describe('tool calls', () => {
    const readA = use('a', 'read_file', { path: 'a' });
    const readB = use('b', 'read_file', { path: 'b' });
    const cases: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
      [
        'two calls interleaved by index',
        [
          callChunk(
            call({ index: 0, id: 'a', name: 'read_file', args: '{"path"' }),
            call({ index: 1, id: 'b', name: 'read_file', args: '{"pa' }),
          ),
          callChunk(call({ index: 1, args: 'th":"b"}' }), call({ index: 0, args: ':"a"}' })),
        ],
        [readA, readB],
      ],
      [
        'an index that starts at 1',
        [callChunk(call({ index: 1, id: 'a', name: 'read_file', args: '{"path":"a"}' }))],
        [readA],
      ],
      [
        'no index: told apart by id',
        [
          callChunk(call({ id: 'a', name: 'read_file', args: '{"path"' })),
          callChunk(call({ id: 'a', args: ':"a"}' })),
          callChunk(call({ id: 'b', name: 'read_file', args: '{"path":"b"}' })),
        ],
        [readA, readB],
      ],
      [
        'no index and no id: a name after complete arguments begins another call',
        [
          callChunk(call({ name: 'read_file', args: '{"path":' })),
          callChunk(call({ args: '"a"}' })),
          callChunk(call({ name: 'read_file', args: '{"path":"b"}' })),
        ],
        [use('id1', 'read_file', { path: 'a' }), use('id2', 'read_file', { path: 'b' })],
      ],
      [
        'index zero for all',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' })),
          callChunk(call({ index: 0, id: 'b', name: 'read_file', args: '{"path":"b"}' })),
        ],
        [readA, readB],
      ],
      [
        'two whole calls with index zero in one chunk',
        [
          callChunk(
            call({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' }),
            call({ index: 0, id: 'b', name: 'read_file', args: '{"path":"b"}' }),
          ),
        ],
        [readA, readB],
      ],
      [
        'a late id is echoed',
        [
          callChunk(call({ index: 0, name: 'read_file', args: '{"path"' })),
          callChunk(call({ index: 0, id: 'a', args: ':"a"}' })),
        ],
        [readA],
      ],
      [
        'an id that is empty, or the word null, is none',
        [
          callChunk(call({ index: 0, id: '', name: 'read_file', args: '{"path":"a"}' })),
          callChunk(call({ index: 1, id: 'null', name: 'read_file', args: '{"path":"b"}' })),
        ],
        [use('id1', 'read_file', { path: 'a' }), use('id2', 'read_file', { path: 'b' })],
      ],
      [
        'one id for two calls: the second gets another',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' })),
          callChunk(call({ index: 1, id: 'a', name: 'read_file', args: '{"path":"b"}' })),
        ],
        [readA, use('id1', 'read_file', { path: 'b' })],
      ],
      [
        'another id in every chunk, and a name only in the first',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"pa' })),
          callChunk(call({ index: 0, id: 'x', args: 'th":' })),
          callChunk(call({ index: 0, id: 'y', args: '"a"}' })),
        ],
        [readA],
      ],
      [
        'the name repeated in every chunk, then empty',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path"' })),
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: ':"a"' })),
          callChunk(call({ index: 0, id: 'a', name: '', args: '}' })),
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '' })),
        ],
        [readA],
      ],
      [
        'a name in pieces',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_' })),
          callChunk(call({ index: 0, name: 'file', args: '{"path":"a"}' })),
        ],
        [readA],
      ],
      [
        'a name with what Harmony leaves behind it',
        [callChunk(call({ index: 0, id: 'a', name: 'read_file<|channel|>commentary', args: '{"path":"a"}' }))],
        [readA],
      ],
      [
        'a name with a namespace and other spelling',
        [callChunk(call({ index: 0, id: 'a', name: 'functions.Read-File', args: '{"path":"a"}' }))],
        [readA],
      ],
      [
        'a name that is not offered stays as it is',
        [callChunk(call({ index: 0, id: 'a', name: 'fly', args: '{}' }))],
        [use('a', 'fly', {})],
      ],
      [
        'arguments that grow',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{' })),
          callChunk(call({ index: 0, args: '{"path"' })),
          callChunk(call({ index: 0, args: '{"path":"a"' })),
          callChunk(call({ index: 0, args: '{"path":"a"}' })),
          callChunk(call({ index: 0, args: '{"path":"a"}' })),
        ],
        [readA],
      ],
      [
        'arguments that grow once',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":' })),
          callChunk(call({ index: 0, args: '{"path":"a"}' })),
        ],
        [readA],
      ],
      [
        'pieces that only look as if the arguments grew',
        [
          callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":' })),
          callChunk(call({ index: 0, args: '{"path":"a"}}' })),
        ],
        [use('a', 'read_file', { path: { path: 'a' } })],
      ],
      [
        'arguments as an object',
        [callChunk(call({ index: 0, id: 'a', name: 'read_file', args: { path: 'a' } }))],
        [readA],
      ],
      [
        'no arguments',
        [callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '' }))],
        [use('a', 'read_file', {})],
      ],
      [
        'one function_call as in old servers',
        [deltaChunk({ function_call: { name: 'read_file', arguments: '{"path":"a"}' } })],
        [use('id1', 'read_file', { path: 'a' })],
      ],
    ];
    for (const [name, chunks, content] of cases) {
      it(name, () => assert.deepEqual(contentOf([...chunks, finishChunk('stop')]), content));
    }

    it('gives a call another id when the conversation has its id already', () => {
      const chunks = [callChunk(call({ index: 0, id: 'call_0', name: 'read_file', args: '{}' })), finishChunk('stop')];
      assert.deepEqual(contentOf(chunks, { usedIds: new Set(['call_0']) }), [use('id1', 'read_file', {})]);
    });

    it('mints ids of nine letters and digits', () => {
      assert.match(mintToolUseId(), /^[A-Za-z0-9]{9}$/);
    });

    it('keeps a complete call with unreadable arguments as an error that names it', () => {
      const chunks = [
        callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path": "x' })),
        finishChunk('tool_calls'),
      ];
      const { response } = aggregate(chunks);
      assert.equal(response.stopReason, 'tool_use');
      const [block] = response.content;
      assert.ok(block?.type === 'tool_use_error');
      const { error, ...rest } = block;
      assert.match(error, /^The arguments are not valid JSON: Unterminated string/);
      assert.deepEqual(rest, { type: 'tool_use_error', rawData: '{"path": "x', toolUseId: 'a', toolName: 'read_file' });
    });

    it('does not decode JSON inside a JSON string', () => {
      const args = JSON.stringify('{"path":"a"}');
      const [block] = contentOf([callChunk(call({ index: 0, id: 'a', name: 'read_file', args })), finishChunk('stop')]);
      assert.equal(block?.type, 'tool_use_error');
    });

    it('runs no call of an answer that reached its length limit, not even a complete one', () => {
      const chunks = [
        textChunk('Look.'),
        callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' })),
        callChunk(call({ index: 1, id: 'b', name: 'read_file', args: '{"pa' })),
        finishChunk('length'),
      ];
      const { response } = aggregate(chunks);
      assert.equal(response.stopReason, 'length');
      assert.deepEqual(
        response.content.map((block) => block.type),
        ['text', 'tool_use_error', 'tool_use_error'],
      );
    });

    it('runs the complete calls of an answer whose end the server could not read', () => {
      const whole = callChunk(call({ index: 0, id: 'a', name: 'read_file', args: '{"path":"a"}' }));
      const open = callChunk(call({ index: 1, id: 'b', name: 'read_file', args: '{"path":"b"' }));
      const { response } = aggregate([whole, open], { cut: 'unreadable' });
      assert.equal(response.stopReason, 'incomplete');
      const error = 'The server could not read the rest of the answer. This tool call was not executed. Call it again.';
      assert.deepEqual(response.content, [
        use('a', 'read_file', { path: 'a' }),
        { type: 'tool_use_error', error, rawData: '{"path":"b"', toolUseId: 'b', toolName: 'read_file' },
      ]);
    });

    it('takes time in proportion to the length of the arguments', () => {
      const aggregator = new StreamAggregator({ tools });
      aggregator.accept(callChunk(call({ index: 0, id: 'a', name: 'write_file', args: '{"path":"a","content":"' })));
      for (let i = 0; i < 8_000; i++)
        aggregator.accept(callChunk(call({ index: 0, name: 'write_file', args: 'abcdef' })));
      aggregator.accept(callChunk(call({ index: 0, args: '"}' })));
      aggregator.accept(finishChunk('stop'));
      assert.deepEqual(aggregator.finish().content, [
        use('a', 'write_file', { path: 'a', content: 'abcdef'.repeat(8_000) }),
      ]);
    });
  });

  describe('reasoning', () => {
    const cases: readonly (readonly [string, readonly unknown[], readonly unknown[]])[] = [
      ['one field', [deltaChunk({ reasoning: 'Hm' }), textChunk('A')], [thinking('Hm'), text('A')]],
      [
        'both fields say it once',
        [
          deltaChunk({ reasoning: 'H', reasoning_content: 'H' }),
          deltaChunk({ reasoning: 'm', reasoning_content: 'm' }),
          textChunk('A'),
        ],
        [thinking('Hm'), text('A')],
      ],
      [
        'the field and tags say it once',
        [deltaChunk({ reasoning_content: 'Hm', content: '<think>Hm' }), textChunk('</think>A')],
        [thinking('Hm'), text('A')],
      ],
      ['an empty thought is none', [textChunk('<think>\n\n</think>\n\nA')], [text('A')]],
      ['a thought without an end', [textChunk('<think>Hm')], [thinking('Hm')]],
    ];
    for (const [name, chunks, content] of cases) {
      it(name, () => assert.deepEqual(contentOf([...chunks, finishChunk('stop')]), content));
    }

    const tagged: readonly (readonly [string, string, readonly unknown[]])[] = [
      ['tags around a thought', '<think>\nHm.\n</think>\n\nA', [thinking('Hm.\n'), text('A')]],
      ['tags after white space', '\n <think>Hm.</think>A', [thinking('Hm.'), text('A')]],
      ['other tags', '[THINK]Hm.[/THINK]A', [thinking('Hm.'), text('A')]],
      ['a closing tag whose opening one is missing', 'Hm.\n</think>\n\nA', [thinking('Hm.\n'), text('A')]],
      ['a tag in prose', 'Use <think> and </think> to think.', [text('Use <think> and </think> to think.')]],
      ['a closing tag in prose', 'A </think> tag ends it.', [text('A </think> tag ends it.')]],
      ['a closing tag in a code span', 'It ends with `</think>`\nthere.', [text('It ends with `</think>`\nthere.')]],
      ['tags in a code block', 'So:\n```\nHm\n</think>\n```\nyes', [text('So:\n```\nHm\n</think>\n```\nyes')]],
      ['a second closing tag is text', '<think>a</think>b\n</think>\nc', [thinking('a'), text('b\n</think>\nc')]],
      ['what only begins like a tag', '<thin ice> < 3', [text('<thin ice> < 3')]],
    ];
    for (const [name, stream, content] of tagged) {
      it(`${name}, however it is split`, () => {
        for (const pieces of splits(stream)) {
          assert.deepEqual(contentOf([...pieces.map(textChunk), finishChunk('stop')]), content, JSON.stringify(pieces));
        }
      });
    }

    it('turns text into thinking when a closing tag follows', () => {
      const { events } = aggregate([textChunk('Hm.\n'), textChunk('</think>\nA'), finishChunk('stop')]);
      assert.deepEqual(events, [
        { type: 'text_delta', block: 0, text: 'Hm.\n' },
        { type: 'block_end', block: 0, content: thinking('Hm.\n') },
        { type: 'text_delta', block: 1, text: 'A' },
        { type: 'block_end', block: 1, content: text('A') },
      ]);
    });
  });

  describe('streams that repeat the whole text in every chunk', () => {
    const cases: readonly (readonly [string, readonly string[], string])[] = [
      ['are read once', ['The', 'The answer', 'The answer is', 'The answer is 42.'], 'The answer is 42.'],
      ['are read once when a chunk comes twice', ['The', 'The a', 'The a', 'The ab'], 'The ab'],
      ['are read once when there are two chunks only', ['The answer', 'The answer is 42.'], 'The answer is 42.'],
      ['are not what repeated text is', ['ha', 'ha', '!'], 'haha!'],
      ['are not what growing repetitions are', ['ha', 'haha', 'hahaha', '!'], 'hahahahahaha!'],
      ['are not what a repeated word is', ['no', ' no', ' no', ' no.'], 'no no no no.'],
      ['are not what two similar pieces are', ['The', 'There', ' they'], 'TheThere they'],
      ['are not what a rule is', ['-', '--', '----'], '-------'],
      ['are not what repeated lines are', ['x = 1;\n', 'x = 1;\n', 'x = 1;\n'], 'x = 1;\nx = 1;\nx = 1;\n'],
    ];
    for (const [name, pieces, result] of cases) {
      it(name, () => assert.deepEqual(contentOf([...pieces.map(textChunk), finishChunk('stop')]), [text(result)]));
    }
  });

  it('returns why the model stopped', () => {
    const reasons = [
      ['stop', 'stop'],
      ['length', 'length'],
      ['content_filter', 'content_filter'],
      ['eos', 'stop'],
    ] as const;
    for (const [reason, stopReason] of reasons) {
      assert.equal(aggregate([textChunk('a'), finishChunk(reason)]).response.stopReason, stopReason);
    }
    assert.equal(aggregate([textChunk('a')], { cut: 'incomplete' }).response.stopReason, 'incomplete');
    assert.equal(aggregate([textChunk('a')], { cut: 'interrupted' }).response.stopReason, 'interrupted');
  });

  it('reads the usage from timings where there is no usage field', () => {
    const timings = { cache_n: 5, prompt_n: 2, predicted_n: 3 };
    const { response } = aggregate([textChunk('a'), finishChunk('stop'), { choices: [], timings }]);
    assert.deepEqual(response.usage, { promptTokens: 7, completionTokens: 3, cachedTokens: 5 });
  });
});
