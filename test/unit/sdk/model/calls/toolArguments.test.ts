import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/util/json';
import { coerceBySchema, parseToolArguments } from '../../../../../src/sdk/model/calls/toolArguments';

describe('parseToolArguments', () => {
  const readable: readonly (readonly [string, string | object, unknown])[] = [
    ['an object', '{"a":1}', { a: 1 }],
    ['nothing', '', {}],
    ['null', 'null', {}],
    ['a value that is an object already', { a: 1 }, { a: 1 }],
    ['Python literals', "{'a': True, 'b': None, 'c': \"it's\"}", { a: true, b: null, c: "it's" }],
    ['a trailing comma', '{"a": [1, 2,],}', { a: [1, 2] }],
    ['a raw line break in a string', '{"a":"x\ny"}', { a: 'x\ny' }],
    ['a closing bracket left out', '{"a":{"b":"c"}', { a: { b: 'c' } }],
    ['a closing bracket too many', '{"a":1}}', { a: 1 }],
    [
      'a Windows path with raw backslashes',
      '{"path":"C:\\Users\\new\\table.txt"}',
      { path: 'C:\\Users\\new\\table.txt' },
    ],
    ['a Windows path that happens to be valid JSON', '{"path":"C:\\new\\table.txt"}', { path: 'C:\\new\\table.txt' }],
    ['a Windows path in a command', '{"command":"cd C:\\Users\\new && ls"}', { command: 'cd C:\\Users\\new && ls' }],
    ['an escape JSON does not know', '{"pattern":"a\\n\\d+"}', { pattern: 'a\n\\d+' }],
    ['line breaks where they belong', '{"content":"C:\\new\\n"}', { content: 'C:\new\n' }],
  ];
  for (const [name, text, input] of readable) {
    it(`reads ${name}`, () => assert.deepEqual(parseToolArguments(text, { lenient: true }), { ok: true, input }));
  }

  const unreadable: readonly (readonly [string, string | object])[] = [
    ['a string that does not end', '{"command":"rm -rf /tmp/x'],
    ['a key without a value', '{"a":'],
    ['a comma with nothing after it', '{"a":1,'],
    ['a number that may go on', '{"timeout":1'],
    ['JSON inside a JSON string', '"{\\"a\\":1}"'],
    ['a list', '[1]'],
    ['a list as value', [1]],
    ['two objects', '{"a":1}{"b":2}'],
    ['prose', 'read the file'],
    ['values that nest too deeply', `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
    ['flawed values that nest too deeply', `{'a':${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['objects without an end that nest too deeply', '{"a":'.repeat(20_000)],
  ];
  for (const [name, text] of unreadable) {
    it(`does not read ${name}`, () => assert.equal(parseToolArguments(text, { lenient: true }).ok, false));
  }

  it('repairs nothing when it is not lenient', () => {
    const parsed = parseToolArguments("{'a': 1}", { lenient: false });
    assert.ok(!parsed.ok);
    // The rest of the message is the engine's own.
    assert.match(parsed.error, /^The arguments are not valid JSON: Expected property name/);
  });

  it('treats __proto__ like any other name', () => {
    const parsed = parseToolArguments('{"__proto__":{"x":1},"path":"a\\tb"}', { lenient: true });
    assert.ok(parsed.ok);
    assert.deepEqual(Object.keys(parsed.input), ['__proto__', 'path']);
  });
});

describe('coerceBySchema', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      line: { type: 'integer' },
      ratio: { type: 'number' },
      all: { type: 'boolean' },
      names: { type: 'array', items: { type: 'string' } },
      edits: { type: 'array', items: { type: 'object', properties: { line: { type: 'integer' } } } },
      options: { type: 'object', properties: { deep: { type: 'boolean' } } },
      maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      mode: { enum: ['a', 'b'] },
      free: {},
    },
    required: ['path'],
  };
  const cases: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['a number for an integer', { line: '3' }, { line: 3 }],
    ['a whole number with a point', { line: '3.0' }, { line: 3 }],
    ['not a fraction for an integer', { line: '3.5' }, { line: '3.5' }],
    ['not a word for an integer', { line: 'three' }, { line: 'three' }],
    ['not nothing for an integer', { line: '' }, { line: '' }],
    ['a fraction for a number', { ratio: '-0.5' }, { ratio: -0.5 }],
    ['words for a boolean', { all: 'True' }, { all: true }],
    ['not a number for a boolean', { all: '1' }, { all: '1' }],
    ['a list as text', { names: '["a"]' }, { names: ['a'] }],
    ['numbers in a list of texts', { names: [1, 'b'] }, { names: ['1', 'b'] }],
    ['one object where a list of them is wanted', { edits: { line: '1' } }, { edits: [{ line: 1 }] }],
    ['a list of objects as text', { edits: '[{"line":"1"}]' }, { edits: [{ line: 1 }] }],
    ['an object as text', { options: '{"deep":"true"}' }, { options: { deep: true } }],
    ['a number where text is wanted', { path: 42 }, { path: '42' }],
    ['not text that looks like a number where text is wanted', { path: '42' }, { path: '42' }],
    ['not text that looks like a list where text is wanted', { path: '["a"]' }, { path: '["a"]' }],
    ['null for something optional is left out', { path: 'a', line: null }, { path: 'a' }],
    ['null where it is allowed stays', { maybe: null }, { maybe: null }],
    ['null for something required stays', { path: null }, { path: null }],
    ['one of several types', { maybe: '4' }, { maybe: 4 }],
    ['an enumeration stays', { mode: 'a' }, { mode: 'a' }],
    ['what the schema says nothing about stays', { free: '1', other: '2' }, { free: '1', other: '2' }],
    ['an alias', { file_path: 'a' }, { path: 'a' }],
    ['not an alias beside the real name', { file_path: 'a', path: 'b' }, { file_path: 'a', path: 'b' }],
  ];
  for (const [name, input, expected] of cases) {
    it(name, () => assert.deepEqual(coerceBySchema(input, schema, { file_path: 'path' }), expected));
  }
});
