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
});
