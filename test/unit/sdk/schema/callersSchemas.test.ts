import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as zod4 from 'zod';
import * as zodMini from 'zod/mini';
import { z as zod3 } from 'zod3';
import * as zod3In4 from 'zod/v3';
import * as zod4In3 from 'zod3/v4';
import * as zod41 from 'zod41';
import { AgentError } from '../../../../src/sdk/errors';
import { compileOutputSchema } from '../../../../src/sdk/schema/structuredOutput';
import type { StandardSchema } from '../../../../src/sdk/schema/standardSchema';
import { tool } from '../../../../src/sdk/tool';
import type { JsonObject } from '../../../../src/util/json';

const expected: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the city' },
    days: { type: 'integer', default: 3 },
    units: { type: 'string', enum: ['metric', 'imperial'] },
    tags: { type: 'array', items: { type: 'string', description: 'A word' } },
  },
  required: ['city', 'tags'],
};

/** The same parameters in every copy of zod that a caller may have. */
const zods = {
  'zod 4': zod4,
  'zod 4.1': zod41,
  'zod 4 within zod 3.25': zod4In3,
  'zod 3.25': zod3,
  'zod 3 within zod 4': zod3In4,
} as unknown as Readonly<Record<string, typeof zod4>>;

const fieldsIn = (z: typeof zod4) => ({
  city: z.string().describe('Name of the city'),
  days: z.number().int().default(3),
  units: z.enum(['metric', 'imperial']).optional(),
  tags: z.array(z.string().describe('A word')),
});

describe("the caller's schemas", () => {
  for (const [name, z] of Object.entries(zods)) {
    describe(name, () => {
      const fields = fieldsIn(z);
      const shapes = { 'a shape': fields, 'an object': z.object(fields) };
      for (const [kind, shape] of Object.entries(shapes)) {
        const weather = tool('weather', 'Weather', shape as typeof fields, (input) => ({ ...input }));

        it(`describes ${kind} to the model`, () => {
          assert.deepEqual(sorted(weather.inputSchema), sorted(expected));
        });

        it(`checks the arguments of ${kind}, and fills in defaults`, async () => {
          assert.deepEqual(await weather.execute({ city: 'Bern', tags: ['x'] }), {
            city: 'Bern',
            days: 3,
            tags: ['x'],
          });
          for (const [input, wrong] of [
            [{}, 'city'],
            [{ city: 'Bern' }, 'tags'],
            [{ city: { a: 1 }, tags: [] }, 'city'],
            [{ city: 'Bern', tags: [], units: 'feet' }, 'units'],
            [{ city: 'Bern', tags: [{}] }, 'tags.0'],
          ] as const) {
            const validation = weather.validate(input);
            assert.match(
              validation.ok ? 'valid' : validation.error,
              new RegExp(`^Invalid arguments for weather: .*"${wrong}"`),
            );
          }
        });
      }

      it('says that an argument is missing', () => {
        const weather = tool('weather', 'Weather', fields, () => 'x');
        const validation = weather.validate({ tags: [] });
        assert.match(validation.ok ? '' : validation.error, /"city" is missing/);
      });

      it('refuses a type without a JSON form, and names the parameter', () => {
        for (const wrong of [
          z.date(),
          z.map(z.string(), z.string()),
          z.array(z.symbol()),
          z.object({ a: z.bigint() }),
        ]) {
          assertRefused({ city: z.string(), when: wrong }, /"t": parameter "when"/);
        }
      });

      it('checks a final answer, with transforms', () => {
        const Person = z.object({ name: z.string().describe('Full name'), born: z.string().transform(Number) });
        const output = compileOutputSchema(Person);
        assert.deepEqual(sorted(output.jsonSchema), {
          type: 'object',
          properties: { name: { type: 'string', description: 'Full name' }, born: { type: 'string' } },
          required: ['born', 'name'],
        });
        assert.deepEqual(output.check('{"name":"Ada","born":"1815"}'), {
          ok: true,
          value: { name: 'Ada', born: 1815 },
        });
        const checked = output.check('{"born":"1815"}');
        assert.match(checked.ok ? '' : checked.error, /^name: /);
      });

      it('describes a type that contains itself', () => {
        interface Tree {
          readonly name: string;
          readonly children: readonly Tree[];
        }
        const Node: zod4.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => z.array(Node)) });
        const grow = tool('grow', 'Grow', { tree: Node }, () => 'grown');
        const schema = JSON.stringify(grow.inputSchema);
        for (const [, target] of schema.matchAll(/"\$ref":"([^"]+)"/g)) {
          assert.equal(typeof at(grow.inputSchema, target ?? ''), 'object', `${target} in ${schema}`);
        }
        assert.match(schema, /"\$ref"/);
        const leaf = { name: 'leaf', children: [] };
        assert.equal(grow.validate({ tree: { name: 'root', children: [leaf] } }).ok, true);
        assert.equal(grow.validate({ tree: { name: 'root', children: [{ name: 'leaf' }] } }).ok, false);
      });
    });
  }

  it('of zod/mini work', () => {
    const add = tool(
      'add',
      'Add',
      { a: zodMini.number(), b: zodMini.optional(zodMini.number()) },
      ({ a, b = 1 }) => a + b,
    );
    assert.deepEqual(add.inputSchema, {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a'],
    });
    assert.equal(add.validate({ a: 'x' }).ok, false);
  });

  it('of valibot work with its JSON Schema', async () => {
    const shape = {
      city: toStandardJsonSchema(v.pipe(v.string(), v.description('Name of the city'))),
      days: toStandardJsonSchema(v.optional(v.pipe(v.number(), v.integer()), 3)),
    };
    const weather = tool('weather', 'Weather', shape, ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`);
    assert.deepEqual(weather.inputSchema, {
      type: 'object',
      properties: { city: { type: 'string', description: 'Name of the city' }, days: { type: 'integer', default: 3 } },
      required: ['city'],
    });
    assert.equal(await weather.execute({ city: 'Bern' }), 'BERN 3');
    const validation = weather.validate({ days: 'x' });
    assert.match(validation.ok ? '' : validation.error, /"city" is missing .*; "days": Invalid type/);
  });

  it('of valibot without a JSON Schema are refused, with the way out', () => {
    assertRefused({ city: v.string() }, /parameter "city".*valibot.*toStandardJsonSchema/);
    assertRefused(v.object({ city: v.string() }), /its schema.*toStandardJsonSchema/);
  });

  it('of arktype work, alone and as a whole', async () => {
    const whole = tool('add', 'Add', type({ a: 'number', 'b?': 'number' }), ({ a, b = 1 }) => a + b);
    const fields = tool('add', 'Add', { a: type('number'), b: type('number') }, ({ a, b }) => a + b);
    assert.deepEqual([whole.inputSchema['required'], fields.inputSchema['required']], [['a'], ['a', 'b']]);
    assert.equal(await whole.execute({ a: 1 }), '2');
    assert.equal(await fields.execute({ a: 1, b: 2 }), '3');
    assert.equal(whole.validate({ a: 'x' }).ok, false);
    const validation = fields.validate({ a: 1 });
    assert.match(validation.ok ? '' : validation.error, /"b" is missing/);
  });

  it('of several libraries can be used together', async () => {
    const all = tool(
      'all',
      'All',
      { a: zod3.number(), b: zod41.number(), c: type('number') },
      ({ a, b, c }) => a + b + c,
    );
    assert.equal(await all.execute({ a: 1, b: 2, c: 3 }), '6');
  });

  it('that check asynchronously refuse the arguments', () => {
    const later = tool('later', 'Later', { a: zod4.string().refine(async () => true) }, () => 'x');
    const validation = later.validate({ a: 'x' });
    assert.match(validation.ok ? '' : validation.error, /"a": its schema checks asynchronously/);
  });

  for (const nonsense of [undefined, null, true, 'string', [], Promise.resolve({ type: 'string' })]) {
    it(`are refused when their JSON Schema is ${inspect(nonsense)}`, () => {
      const wrong = { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } as const;
      const schema = { '~standard': { ...wrong, jsonSchema: { input: () => nonsense } } };
      assertRefused({ a: schema }, /parameter "a".*a schema of own whose JSON Schema is no object/);
    });
  }

  it('cannot be told for a parameter that every object has as its prototype', () => {
    assertRefused(JSON.parse('{ "__proto__": "string" }'), /parameter "__proto__" has a name that cannot be checked/);
  });

  it('without JSON Schema, and anything else, are refused with the name of the parameter', () => {
    const bare: StandardSchema = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } };
    assertRefused({ a: bare }, /parameter "a".*a schema of own that gives no JSON Schema/);
    for (const wrong of [
      'float',
      'String',
      '',
      null,
      undefined,
      1,
      true,
      [],
      ['string'],
      String,
      new Date(0),
      new Map(),
      /x/,
      {},
      { optional: true },
      { type: 'float' },
      { type: ['string', 'float'] },
      { type: 'array', items: { type: 'str' } },
      { type: 'object', properties: { b: { type: 'int' } } },
      { _def: { typeName: 'Odd' } },
    ]) {
      assertRefused({ fine: 'string', a: wrong }, /"t": parameter "a"/);
    }
    for (const wrong of [zod4.string(), zod3.string(), type('string')]) assertRefused(wrong, /describes no object/);
    for (const wrong of [null, 'string', [], new Map(), () => 'x']) assertRefused(wrong, /"t": its parameters/);
  });

  it('are checked by the compiler', () => {
    const types = (): void => {
      tool('t', 'T', { a: zod3.number() }, ({ a }) => a.toFixed());
      tool('t', 'T', { a: zod41.number().optional() }, ({ a }) => a?.toFixed());
      tool('t', 'T', zod3.object({ a: zod3.number().default(1) }), ({ a }) => a.toFixed());
      tool('t', 'T', type({ a: 'number' }), ({ a }) => a.toFixed());
      // @ts-expect-error: 'a' is a number.
      tool('t', 'T', { a: zod3.number() }, ({ a }) => a.toUpperCase());
      // @ts-expect-error: 'a' may be absent.
      tool('t', 'T', { a: zod41.number().optional() }, ({ a }) => a.toFixed());
      // @ts-expect-error: no such type.
      tool('t', 'T', { a: 'float' }, () => 'x');
      // @ts-expect-error: no such type.
      tool('t', 'T', { b: 'string', a: { type: 'float' } }, () => 'x');
      // @ts-expect-error: a class is no schema.
      tool('t', 'T', { a: String }, () => 'x');
      tool('t', 'T', { a: { enum: ['x', 'y'] }, b: { type: ['string', 'null'] } }, () => 'x');
      const schema: JsonObject = { type: 'object', properties: {} };
      tool('t', 'T', schema, (input) => input['a']);
    };
    assert.equal(typeof types, 'function');
  });
});

function assertRefused(shape: unknown, message: RegExp): void {
  assert.throws(
    () => tool('t', 'T', shape as JsonObject, () => 'x'),
    (error) => {
      assert.ok(error instanceof AgentError && error.code === 'invalid_options', String(error));
      assert.match(error.message, message);
      return true;
    },
  );
}

/** With sorted names, because libraries write them in different orders. */
function sorted(schema: JsonObject): JsonObject {
  const required = Array.isArray(schema['required']) ? { required: schema['required'].map(String).sort() } : {};
  return { ...schema, ...required };
}

/** The part of a schema that a reference names. */
function at(schema: JsonObject, reference: string): unknown {
  const parts = reference.split('/').slice(1);
  return parts.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], schema);
}
