import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod';
import { entryBodies } from '../../../../src/sdk/session/parseEntry';
import { unchangedByParsing } from '../../../../src/sdk/session/unchangedByParsing';

/** Values that a schema of entries may accept, and values that it must not. */
const leaf = fc.oneof(
  fc.constantFrom('', 'text', 'a'.repeat(64), 'image/png', 'prompt', 'stop', 'succeeded', 'RUNNING', 'edit', 'allowed'),
  fc.constantFrom(0, 1, -1, 1.5, 2 ** 60),
  fc.constantFrom(true, false, null),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value for a schema, with a mistake here and there. */
function valueFor(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: soundFor(schema) }, { weight: 1, arbitrary: leaf });
}

function soundFor(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return fc.constantFrom('', 'x', 'a'.repeat(64));
    case 'number':
      return fc.constantFrom(0, 1, 2.5);
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'nullable':
      return fc.oneof(fc.constant(null), valueFor(def.innerType));
    case 'optional':
    case 'readonly':
      return valueFor(def.innerType);
    case 'array':
      return fc.array(valueFor(def.element), { maxLength: 3 });
    case 'union':
      return fc.oneof(...def.options.map(valueFor));
    case 'object':
      return objectFor(def.shape);
    default:
      return fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), leaf);
  }
}

function objectFor(shape: Readonly<Record<string, z.core.$ZodType>>): fc.Arbitrary<unknown> {
  const isLeftOut = (schema: z.core.$ZodType): fc.Arbitrary<boolean> =>
    fc.nat({ max: schema._zod.optin === 'optional' ? 1 : 15 }).map((draw) => draw === 0);
  const fields = Object.entries(shape).map(([key, schema]) =>
    fc.tuple(fc.constant(key), valueFor(schema), isLeftOut(schema)),
  );
  const other = fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    fc.array(fc.tuple(fc.constantFrom('more', 'v'), leaf)),
  );
  return fc
    .tuple(fc.tuple(...fields), other)
    .map(([known, more]) =>
      Object.fromEntries([...known.filter(([, , isOut]) => !isOut).map(([key, value]) => [key, value]), ...more]),
    );
}

describe('the fast check of entries', () => {
  for (const body of entryBodies()) {
    const name = String(body.shape.type.value);
    const isUnchanged = unchangedByParsing(body.shape, new Set());
    const asRead = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

    it(`accepts only what the schema of ${name} accepts and leaves as it is`, () => {
      fc.assert(
        fc.property(valueFor(body), (value) => {
          const read = asRead(value);
          if (!isUnchanged(read)) return;
          const parsed = body.safeParse(read);
          assert.ok(parsed.success, JSON.stringify(read));
          assert.deepEqual(parsed.data, read);
        }),
        { numRuns: 1000 },
      );
    });
  }

  it('accepts the entries of which sessions are made', () => {
    const guards = new Map(
      entryBodies().map((body) => [String(body.shape.type.value), unchangedByParsing(body.shape, new Set(['id']))]),
    );
    const entries: readonly Readonly<Record<string, unknown>>[] = [
      { type: 'user_message', id: 'e', text: 't', contextLabels: ['a'], content: 't', origin: 'prompt', mode: 'edit' },
      {
        type: 'assistant_message',
        content: [
          { type: 'text', text: 't' },
          { type: 'tool_use', id: 'c', name: 'read_file', input: { path: 'a' } },
        ],
        stopReason: 'tool_use',
        responseId: 'r',
        model: 'm',
        usage: { promptTokens: 1, completionTokens: 2 },
      },
      { type: 'assistant_partial', blocks: [] },
      { type: 'tool_call', toolUseId: 'c', toolName: 'read_file', input: {} },
      { type: 'tool_result', toolUseId: 'c', content: 'ok', isError: false, outcome: 'succeeded' },
      { type: 'status_update', status: 'FINISHED' },
      { type: 'title', title: 't' },
    ];
    for (const entry of entries) assert.ok(guards.get(String(entry['type']))?.(entry), JSON.stringify(entry));
  });

  it('leaves to others a value that nests deeper than any real data', () => {
    const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
    const isUnchanged = unchangedByParsing({ value: z.custom(() => true) }, new Set());
    assert.equal(isUnchanged({ value: nested(100) }), true);
    assert.equal(isUnchanged({ value: nested(5_000) }), false);
  });

  it('needs each key, in any order, after objects with their keys in another order', () => {
    const isUnchanged = unchangedByParsing({ a: z.string(), b: z.number(), c: z.string().optional() }, new Set(['id']));
    const good = [
      { id: 1, a: '', b: 1, c: '' },
      { b: 1, a: '', id: 1 },
      { c: '', b: 1, a: '' },
      { a: '', b: 1 },
    ];
    const bad = [{ id: 1, a: '' }, { b: 1, c: '', id: 1 }, { b: '', a: '' }, { a: 1, b: 1 }, { a: '', b: 1, d: 1 }, {}];
    for (const value of [...good, ...bad, ...good.toReversed(), ...bad.toReversed()])
      assert.equal(isUnchanged(value), good.includes(value as never), JSON.stringify(value));
  });

  it('leaves to the schema what it does not know', () => {
    const unknown = {
      text: z.string().min(1),
      number: z.int(),
      date: z.iso.date(),
      made: z.string().transform(Number),
    };
    for (const [key, schema] of Object.entries(unknown)) {
      for (const value of ['', 'a', '2020-01-01', 1, 1.5]) {
        assert.equal(unchangedByParsing({ [key]: schema }, new Set())({ [key]: value }), false);
      }
    }
    assert.equal(unchangedByParsing({}, new Set())({ more: 1 }), false);
  });
});
