import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/util/json';
import { ToolCallAssembler } from '../../../../../src/sdk/model/stream/toolCallAssembler';
import { countedIds } from '../streamFixtures';

function entry(fields: { index?: number; id?: string; name?: string; args?: string }): JsonObject {
  const { index, id, name, args } = fields;
  return {
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id }),
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  };
}

const use = (id: string, name: string, input: JsonObject) => ({ type: 'tool_use', id, name, input });

describe('ToolCallAssembler', () => {
  let heard: unknown[];
  let assembler: ToolCallAssembler;

  beforeEach(() => {
    heard = [];
    let blocks = 0;
    assembler = new ToolCallAssembler({
      sink: {
        open: () => blocks++,
        start: (...start) => heard.push(start),
        delta: (...delta) => heard.push(delta),
      },
      resolveName: (name) => (name === 'read' || name === 'write' ? name : undefined),
      newId: countedIds(),
      usedIds: new Set(['used']),
      isLenient: false,
    });
  });

  function contents(cutOffReason?: string): unknown {
    return assembler.finish(() => cutOffReason, 'calls').map(({ content }) => content);
  }

  it('joins arguments that come in pieces, and tells of each piece', () => {
    assert.equal(assembler.isEmpty, true);
    assert.equal(assembler.accept(entry({ index: 0, id: 'a', name: 'read', args: '{"p":' })), 5);
    assert.equal(assembler.accept(entry({ index: 0, args: '1}' })), 2);
    assert.deepEqual(heard, [
      [0, 'a', 'read'],
      [0, 'a', '{"p":'],
      [0, 'a', '1}'],
    ]);
    assert.deepEqual(contents(), [use('a', 'read', { p: 1 })]);
  });

  it('tells calls apart by index, also when their pieces alternate', () => {
    for (const [index, id, name] of [
      [0, 'a', 'read'],
      [1, 'b', 'write'],
    ] as const) {
      assembler.accept(entry({ index, id, name, args: '{"p":' }));
    }
    for (const index of [0, 1]) assembler.accept(entry({ index, args: `${index}}` }));
    assert.deepEqual(contents(), [use('a', 'read', { p: 0 }), use('b', 'write', { p: 1 })]);
  });

  it('begins another call at a new name when every index is zero', () => {
    for (const id of ['a', 'b']) assembler.accept(entry({ index: 0, id, name: 'read', args: '{}' }));
    assert.deepEqual(contents(), [use('a', 'read', {}), use('b', 'read', {})]);
  });

  it('gives a new id to a call without one, and to one whose id was used before', () => {
    assembler.accept(entry({ index: 0, name: 'read', args: '{}' }));
    assembler.accept(entry({ index: 1, id: 'used', name: 'read', args: '{}' }));
    assert.deepEqual(contents(), [use('id1', 'read', {}), use('id2', 'read', {})]);
  });

  it('makes an error of a call without a name', () => {
    assembler.accept(entry({ index: 0, id: 'a', args: '{}' }));
    assert.deepEqual(contents(), [
      { type: 'tool_use_error', error: 'The model called a tool without naming it.', rawData: '{}' },
    ]);
  });

  it('makes an error of every call when the answer was cut off', () => {
    assembler.accept(entry({ index: 0, id: 'a', name: 'read', args: '{}' }));
    assert.deepEqual(contents('Cut off.'), [
      { type: 'tool_use_error', error: 'Cut off.', rawData: '{}', toolUseId: 'a', toolName: 'read' },
    ]);
  });
});
