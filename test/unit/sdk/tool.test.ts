import assert from 'node:assert/strict';
import * as z from 'zod';
import { AgentError } from '../../../src/sdk/errors';
import { tool } from '../../../src/sdk/tool';
import type { JsonObject } from '../../../src/util/json';

const add = tool('add', 'Add two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => ({ sum: a + b }));

describe('tool', () => {
  describe('shapes', () => {
    it('describes a zod shape without useless tokens', () => {
      const search = tool(
        'search',
        'Search',
        { query: z.string().describe('What for'), limit: z.int().default(10), kind: z.enum(['a', 'b']).optional() },
        () => 'x',
      );
      assert.deepEqual(search.inputSchema, {
        type: 'object',
        properties: {
          query: { description: 'What for', type: 'string' },
          limit: { default: 10, type: 'integer' },
          kind: { type: 'string', enum: ['a', 'b'] },
        },
        required: ['query'],
      });
    });

    it('accepts a zod object', () => {
      const echo = tool('echo', 'Echo', z.object({ text: z.string() }), ({ text }) => text.toUpperCase());
      assert.deepEqual(echo.inputSchema, {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      });
    });

    it('expands the short form: a default, optional and required: false make a parameter optional', () => {
      const search = tool(
        'search',
        'Search',
        {
          query: 'string',
          limit: { type: 'integer', default: 10 },
          deep: { type: 'boolean', optional: true },
          tags: { type: 'array', items: { type: 'string' }, required: false },
          page: { type: 'integer', default: 1, required: true },
        },
        () => 'x',
      );
      assert.deepEqual(search.inputSchema, {
        type: 'object',
        properties: {
          query: { type: 'string' },
          limit: { type: 'integer', default: 10 },
          deep: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
          page: { type: 'integer', default: 1 },
        },
        required: ['query', 'page'],
      });
    });

    it('keeps a full JSON Schema unchanged', () => {
      const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
      assert.equal(tool('read', 'Read', schema, () => 'x').inputSchema, schema);
    });

    it('recognises a full schema without properties, and a parameter named type', () => {
      const none = tool('none', 'None', { type: 'object', additionalProperties: false }, () => 'x');
      assert.deepEqual(none.inputSchema, { type: 'object', additionalProperties: false });
      const typed = tool('typed', 'Typed', { type: 'string', properties: 'object' }, () => 'x');
      assert.deepEqual(typed.inputSchema, {
        type: 'object',
        properties: { type: { type: 'string' }, properties: { type: 'object' } },
        required: ['type', 'properties'],
      });
    });

    it('rejects a name that no server accepts, and a mixed shape', () => {
      assert.throws(
        () => tool('read file', 'Read', {}, () => 'x'),
        (error) => error instanceof AgentError && error.code === 'invalid_options' && /"read file"/.test(error.message),
      );
      const mixed = { a: z.number(), b: 'string' } as unknown as JsonObject;
      assert.throws(
        () => tool('mixed', 'Mixed', mixed, () => 'x'),
        (error) => error instanceof AgentError && /"mixed": parameter "a"/.test(error.message),
      );
    });
  });

  describe('validate', () => {
    it('names every wrong field', () => {
      assert.deepEqual(add.validate({ a: 'one' }), {
        ok: false,
        error:
          'Invalid arguments for add: "a": expected number, received string; "b" is missing (expected number, received undefined).',
      });
    });

    it('fills in defaults, of zod and of JSON Schema', () => {
      const zod = tool('t', 'T', { n: z.int().default(3) }, () => 'x');
      const short = tool('t', 'T', { n: { type: 'integer', default: 3 } }, () => 'x');
      assert.deepEqual(zod.validate({}), { ok: true, input: { n: 3 } });
      assert.deepEqual(short.validate({}), { ok: true, input: { n: 3 } });
    });

    it('checks the required parameters of a schema that it cannot check fully', () => {
      const schema = { type: 'object', properties: { a: { not: { type: 'string' } } }, required: ['a'] };
      const odd = tool('odd', 'Odd', schema, () => 'x');
      assert.deepEqual(odd.validate({ a: 1 }), { ok: true, input: { a: 1 } });
      assert.equal(odd.validate({}).ok, false);
    });
  });

  describe('execute', () => {
    it('coerces, validates and runs a handler that is not async', async () => {
      assert.deepEqual(await add.execute({ a: '1', b: 2 }), { sum: 3 });
    });

    it('renames parameters that models invent', async () => {
      const read = tool('read', 'Read', { path: 'string' }, ({ path }) => path, {
        parameterAliases: { file_path: 'path' },
      });
      assert.equal(await read.execute({ file_path: 'a.ts' }), 'a.ts');
    });

    it('throws for wrong arguments, a failed preparation and a failed result', async () => {
      const failing = tool('failing', 'Fail', {}, () => ({ content: 'no such thing', isError: true }));
      const unprepared = tool(
        'unprepared',
        'Fail',
        {},
        {
          prepare: () => ({ ok: false, error: 'nothing to do' }),
          run: () => 'never',
        },
      );
      await assert.rejects(add.execute({}), /Invalid arguments for add/);
      for (const nothing of [undefined, null, '{"a":1}', [1]]) {
        await assert.rejects(add.execute(nothing as never), /^Error: Invalid arguments for add: expected an object\.$/);
      }
      await assert.rejects(failing.execute({}), /^Error: no such thing$/);
      await assert.rejects(unprepared.execute({}), /^Error: nothing to do$/);
    });

    it('runs exactly the plan that was prepared', async () => {
      const double = tool(
        'double',
        'Double',
        { n: 'integer' },
        {
          prepare: ({ n }) => ({ ok: true, plan: { doubled: n * 2 } }),
          run: ({ doubled }) => `it is ${doubled}`,
        },
      );
      assert.equal(await double.execute({ n: 4 }), 'it is 8');
    });
  });

  describe('results', () => {
    const context = { signal: new AbortController().signal, toolUseId: 'c1', progress: () => {} };
    const cases: readonly (readonly [unknown, unknown])[] = [
      ['text', { content: 'text' }],
      [undefined, { content: 'Done.' }],
      [42, { content: '42' }],
      [new Date(0), { content: '1970-01-01T00:00:00.000Z' }],
      [null, { content: 'null' }],
      [{ a: 1, skip: undefined }, { content: { a: 1 } }],
      [[1, 'b'], { content: [1, 'b'] }],
      [
        { content: 'c', isError: true, display: { diff: '-' } },
        { content: 'c', isError: true, display: { diff: '-' } },
      ],
      [{ content: 'c', other: 1 }, { content: { content: 'c', other: 1 } }],
    ];
    for (const [returned, output] of cases) {
      it(`turns ${JSON.stringify(returned)} into an output`, async () => {
        const given = tool('give', 'Give', {}, () => returned);
        assert.deepEqual(await given.run({}, context), output);
      });
    }
  });
});
