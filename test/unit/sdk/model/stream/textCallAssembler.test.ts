import assert from 'node:assert/strict';
import { TextCallAssembler } from '../../../../../src/sdk/model/stream/textCallAssembler';
import { countedIds } from '../streamFixtures';

describe('TextCallAssembler', () => {
  let heard: unknown[];
  let assembler: TextCallAssembler;

  beforeEach(() => {
    heard = [];
    let blocks = 0;
    assembler = new TextCallAssembler({
      sink: {
        open: () => blocks++,
        start: (...start) => heard.push(start),
        delta: (...delta) => heard.push(delta),
      },
      resolveName: (name) => (name === 'Read' ? 'read' : undefined),
      newId: countedIds(),
      usedIds: new Set(['id1']),
      isLenient: false,
    });
  });

  it('starts each call at once, under its real name and a new id', () => {
    assert.equal(assembler.isEmpty, true);
    assembler.add({ name: 'Read', arguments: '{"path": "a"}' });
    assembler.add({ name: 'other', arguments: { a: 1 } });
    assert.equal(assembler.isEmpty, false);
    assert.deepEqual(heard, [
      [0, 'id2', 'read'],
      [0, 'id2', '{"path": "a"}'],
      [1, 'id3', 'other'],
      [1, 'id3', '{"a":1}'],
    ]);
    assert.deepEqual(
      assembler.finish(() => undefined),
      [
        { block: 0, content: { type: 'tool_use', id: 'id2', name: 'read', input: { path: 'a' } } },
        { block: 1, content: { type: 'tool_use', id: 'id3', name: 'other', input: { a: 1 } } },
      ],
    );
  });

  it('makes an error of arguments that are no JSON', () => {
    assembler.add({ name: 'Read', arguments: '{"path": ' });
    const content = assembler.finish(() => undefined)[0]?.content;
    assert.deepEqual(content?.type === 'tool_use_error' && [content.toolUseId, content.toolName, content.rawData], [
      'id2',
      'read',
      '{"path": ',
    ]);
  });

  it('makes an error of every call when the answer was cut off', () => {
    assembler.add({ name: 'Read', arguments: { path: 'a' } });
    assert.deepEqual(
      assembler.finish(() => 'Cut off.'),
      [
        {
          block: 0,
          content: {
            type: 'tool_use_error',
            error: 'Cut off.',
            rawData: '{"path":"a"}',
            toolUseId: 'id2',
            toolName: 'read',
          },
        },
      ],
    );
  });
});
