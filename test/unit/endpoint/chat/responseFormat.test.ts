import assert from 'node:assert/strict';
import { readResponseFormat } from '../../../../src/endpoint/chat/responseFormat';
import type { JsonObject } from '../../../../src/util/json';

const schemaOf = (schema: unknown) => readResponseFormat({ type: 'json_schema', json_schema: { name: 'x', schema } });

describe('response_format', () => {
  it('is text, any object, or what a schema says', () => {
    for (const none of [undefined, null, { type: 'text' }]) {
      assert.deepEqual(readResponseFormat(none), { ok: true, format: undefined });
    }
    const any = readResponseFormat({ type: 'json_object' });
    assert.ok(any.ok && any.format?.check('{"a": 1}').ok && !any.format.check('[1]').ok);
    const one = schemaOf({ type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'] });
    assert.ok(one.ok && one.format?.check('{"pattern": "x"}').ok && !one.format.check('{}').ok);
  });

  it('refuses what is none, and what could block the process', () => {
    let deep: JsonObject = { type: 'string' };
    for (let level = 0; level < 5_000; level += 1) deep = { anyOf: [deep] };
    for (const [given, why] of [
      ['json', /must be an object/],
      [{ type: 'xml' }, /type must be text/],
      [{ type: 'json_schema' }, /json_schema.schema must be a JSON Schema/],
    ] as const) {
      const read = readResponseFormat(given);
      assert.match(read.ok ? '' : read.problem, why);
    }
    for (const [schema, why] of [
      [{ type: 'string', pattern: '(a+)+$' }, /pattern is not supported/],
      [{ type: 'object', patternProperties: { '(a+)+$': {} } }, /patternProperties is not supported/],
      [{ properties: { a: { items: { pattern: 'x' } } } }, /pattern is not supported/],
      [deep, /nested more than 30 levels/],
      [{ enum: ['x'.repeat(20_000)] }, /longer than 20000/],
      [{ type: 'nonsense' }, /cannot be used/],
    ] as const) {
      const read = schemaOf(schema);
      assert.match(read.ok ? '' : read.problem, why);
    }
  });
});
