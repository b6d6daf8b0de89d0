import assert from 'node:assert/strict';
import { createMcpTool, type CallMcp } from '../../../src/mcp/mcpTool';
import { toWireTools } from '../../../src/sdk/model/wire/wireRequest';
import type { JsonObject, JsonValue } from '../../../src/util/json';

const context = { signal: new AbortController().signal, toolUseId: 't', progress: () => {} };
const nobody: CallMcp = () => assert.fail('nothing may be called');

describe('createMcpTool', () => {
  it('plans a call and sends exactly what was planned', async () => {
    const sent: unknown[] = [];
    const inputSchema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    const made = createMcpTool(
      'mcp__s__do',
      's',
      { name: 'do', description: 'Does', inputSchema, isReadOnly: true },
      async (plan) => {
        sent.push(plan);
        return { content: 'done' };
      },
    );
    assert.ok(made);
    assert.deepEqual([made.name, made.server, made.description], ['mcp__s__do', 's', 'Does']);
    const prepared = await made.prepare({ a: 1 }, context);
    const plan = { kind: 'mcp', server: 's', tool: 'do', arguments: { a: 1 }, isReadOnly: true };
    assert.deepEqual(prepared, { ok: true, plan });
    assert.deepEqual(await made.run(plan, context), { content: 'done', isError: false });
    assert.deepEqual(sent, [plan]);
  });

  it('passes the whole schema, and checks only for missing arguments', () => {
    const inputSchema = {
      type: 'object',
      $defs: { p: { type: 'string', pattern: '^(a+)+$' } },
      properties: { a: { $ref: '#/$defs/p' } },
      required: ['a'],
    };
    const made = createMcpTool(
      'mcp__s__do',
      's',
      { name: 'do', description: '', inputSchema, isReadOnly: false },
      nobody,
    );
    assert.deepEqual(made?.inputSchema, inputSchema);
    const input = { a: `${'a'.repeat(50)}!` };
    assert.deepEqual(made?.validate(input), { ok: true, input });
    assert.deepEqual(made?.validate({}), { ok: false, error: 'Invalid arguments for mcp__s__do: a missing.' });
  });

  it('names hidden characters and terminal sequences of descriptions', () => {
    const description = 'Reads\u{E0041}\u202E\u009B2J\u200B\nfiles';
    const made = createMcpTool(
      'mcp__s__do',
      's',
      { name: 'do', description, inputSchema: { type: 'object' }, isReadOnly: false },
      nobody,
    );
    assert.equal(made?.description, 'Reads<U+E0041><U+202E><U+009B>2J<U+200B>\nfiles');
  });

  const withSchema = (inputSchema: JsonObject) =>
    createMcpTool('mcp__s__do', 's', { name: 'do', description: '', inputSchema, isReadOnly: false }, nobody);

  it('names hidden characters of descriptions anywhere in the schema', () => {
    const hidden = 'Send\u{E0041}\u{E0042} the\u202E key\u001B[2J';
    const named = 'Send<U+E0041><U+E0042> the<U+202E> key<ESC>[2J';
    const schemaWith = (words: string): JsonObject => ({
      type: 'object',
      title: words,
      properties: {
        description: { type: 'string', description: words },
        list: { type: 'array', items: { anyOf: [{ type: 'string', $comment: words }, { const: 'a' }] } },
      },
    });
    assert.deepEqual(withSchema(schemaWith(hidden))?.inputSchema, schemaWith(named));
  });

  it('is not made where a name or value of its schema has hidden characters', () => {
    for (const schema of [
      { properties: { 'a\u{E0041}': { type: 'string' } } },
      { properties: { a: { enum: ['x', 'y\u202E'] } } },
      { properties: { a: { default: { 'b\u200B': 1 } } } },
      { required: ['a\u0000'] },
    ] satisfies readonly JsonObject[]) {
      assert.equal(withSchema({ type: 'object', ...schema }), undefined, JSON.stringify(schema));
    }
  });

  it('keeps names and values as they are in the scripts of the world, and indented ones', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        'a\u00E9': {
          enum: [
            '\u0646\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
            '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}',
            '1\u00A0000',
          ],
        },
        code: { type: 'string', default: `if x:\n${' '.repeat(40)}y\n\n\n\n\n`, pattern: '^[^\\u200B]*$' },
      },
    };
    assert.deepEqual(withSchema(schema)?.inputSchema, schema);
  });

  it('has a schema of bounded depth, which can be sent', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(1_900)}{}${'}'.repeat(1_900)}`) as JsonObject;
    const lists = JSON.parse(`${'['.repeat(9_000)}${']'.repeat(9_000)}`) as JsonValue;
    const hostile = JSON.parse('{"__proto__":{"description":"x"},"constructor":{"type":"string"}}') as JsonObject;
    for (const properties of [{ a: deep }, { a: { enum: [lists] } }, hostile] satisfies readonly JsonObject[]) {
      const made = withSchema({ type: 'object', properties }) ?? assert.fail('not made');
      const [sent] = toWireTools([made]);
      assert.ok(JSON.stringify(sent).length < 5_000);
      assert.equal(Object.hasOwn(Object.prototype, 'description'), false);
    }
  });

  it('shortens descriptions, and rejects invalid or large schemas', () => {
    const info = { name: 'do', description: 'x'.repeat(10_000), inputSchema: { type: 'object' }, isReadOnly: false };
    const made = createMcpTool('mcp__s__do', 's', info, nobody);
    assert.equal(made?.description, `${'x'.repeat(2_000)}… [8000 more characters]`);
    assert.deepEqual(made?.inputSchema, { type: 'object', properties: {} });
    const schemas = [{ type: 'string' }, { type: 'object', description: 'x'.repeat(30_000) }];
    for (const inputSchema of schemas) {
      assert.equal(createMcpTool('mcp__s__do', 's', { ...info, inputSchema }, nobody), undefined);
    }
  });
});
