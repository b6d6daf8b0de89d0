import assert from 'node:assert/strict';
import { plainSchema } from '../../../../../src/sdk/model/wire/plainSchema';
import { tools } from '../streamFixtures';

describe('plainSchema', () => {
  it('keeps a plain schema, also where a parameter is named like a keyword', () => {
    for (const { inputSchema } of tools) assert.equal(plainSchema(inputSchema), inputSchema);
    const named = {
      type: 'object',
      properties: { pattern: { type: 'string' }, format: { type: 'string', enum: ['oneOf'] } },
      required: ['pattern'],
      default: { $ref: '#' },
    };
    assert.equal(plainSchema(named), named);
  });

  it('removes the keywords that grammars fail on, at any depth', () => {
    const schema = {
      type: 'object',
      properties: {
        pattern: { type: 'string', pattern: '\\d+', description: 'A pattern' },
        when: { type: 'string', format: 'date-time' },
        where: { $ref: '#/$defs/place', description: 'Where' },
        list: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
        either: { anyOf: [{ type: 'string', format: 'uri' }, { type: 'null' }] },
      },
      $defs: { place: { type: 'string' } },
    };
    assert.deepEqual(plainSchema(schema), {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'A pattern' },
        when: { type: 'string' },
        where: { description: 'Where' },
        list: { type: 'array', items: {} },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    });
  });

  it('removes only limits of values as a first step', () => {
    const kept = { oneOf: [{ type: 'string' }], type: 'strange', enum: [] };
    const schema = {
      type: 'object',
      properties: {
        format: { type: 'string', format: 'uri', maxLength: 9, pattern: 'a' },
        list: { type: 'array', items: { $ref: '#/$defs/pattern' }, minItems: 1 },
        kept,
        any: true,
      },
      $defs: { pattern: { type: 'string', minLength: 1 } },
    };
    assert.deepEqual(plainSchema(schema, 'limits'), {
      type: 'object',
      properties: {
        format: { type: 'string' },
        list: { type: 'array', items: { $ref: '#/$defs/pattern' } },
        kept,
        any: true,
      },
      $defs: { pattern: { type: 'string' } },
    });
  });

  it('mends what llama.cpp cannot read at all', () => {
    const properties = {
      type: { type: 'strange', description: 'Kept' },
      several: { type: ['string', 'strange'] },
      any: true,
      none: null,
      choice: { enum: [], anyOf: [] },
      list: { type: 'array', items: true },
    };
    assert.deepEqual(plainSchema({ type: 'object', properties, additionalProperties: false }), {
      type: 'object',
      properties: {
        type: { description: 'Kept' },
        several: { type: ['string'] },
        any: {},
        none: {},
        choice: {},
        list: { type: 'array', items: {} },
      },
      additionalProperties: false,
    });
  });
});
