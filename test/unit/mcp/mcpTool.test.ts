import assert from 'node:assert/strict';
import { createMcpTool, type CallMcp } from '../../../src/mcp/mcpTool';

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
