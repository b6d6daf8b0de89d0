import assert from 'node:assert/strict';
import { asExtensionTool } from '../../../../src/host/api/asExtensionTool';
import { RegisteredTools } from '../../../../src/host/api/registeredTools';
import { tool } from '../../../../src/sdk/tool';
import { callTool } from '../../../support/callTool';

const fail = (error: unknown): never => assert.fail(String(error));
const create = () => new RegisteredTools({ onInternalError: fail });
const add = tool('add', 'Adds', { a: 'integer', b: 'integer' }, ({ a, b }) => ({ sum: a + b }));

describe('RegisteredTools', () => {
  it('keeps a tool until it is taken back, and tells listeners', async () => {
    const tools = create();
    const counts: number[] = [];
    tools.onChange(() => counts.push(tools.current.length));
    const registration = tools.add(add, 'acme.tools');
    const [registered] = tools.current;
    assert.ok(registered);
    const { name, extension, description, inputSchema, ended } = registered;
    assert.deepEqual(
      { name, extension, description, inputSchema },
      { name: 'add', extension: 'acme.tools', description: 'Adds', inputSchema: add.inputSchema },
    );
    const made = asExtensionTool(registered);
    assert.deepEqual(await callTool([made], 'ext__add', { a: 1, b: '2' }), { content: { sum: 3 }, isError: false });
    assert.deepEqual(await callTool([made], 'ext__add', { a: 1 }), {
      refused: 'Invalid arguments for add: "b" is missing (expected number, received undefined).',
    });
    registration.dispose();
    registration.dispose();
    assert.deepEqual([counts, ended.aborted], [[1, 0], true]);
    assert.match(JSON.stringify(await callTool([made], 'ext__add', { a: 1, b: 2 })), /is not there any more/);
  });

  it('copies the tool at registration', () => {
    const tools = create();
    const mutable = { ...add, inputSchema: { type: 'object' } };
    tools.add(mutable, 'acme.tools');
    mutable.name = 'other';
    mutable.description = 'Other';
    assert.deepEqual(
      tools.current.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } }],
    );
  });

  it('only validates the arguments before a person agrees', async () => {
    const steps: string[] = [];
    const watched = {
      ...add,
      validate: (input: object) => steps.push('validate') && { ok: true, input },
      prepare: async () => steps.push('prepare') && { ok: true, plan: 1 },
      run: async (plan: unknown) => steps.push(`run ${String(plan)}`) && { content: 'ran' },
    };
    const tools = create();
    tools.add(watched, 'acme.tools');
    await callTool(
      [asExtensionTool(tools.current[0]!)],
      'ext__add',
      {},
      { approve: (plan) => steps.push('approve') && plan },
    );
    assert.deepEqual(steps, ['validate', 'approve', 'prepare', 'run 1']);
  });

  it('tells the model why a tool could not prepare', async () => {
    const tools = create();
    tools.add({ ...add, prepare: async () => ({ ok: false, error: 'No such place.' }) }, 'acme.tools');
    const result = await callTool([asExtensionTool(tools.current[0]!)], 'ext__add', { a: 1, b: 2 });
    assert.deepEqual(result, { content: 'No such place.', isError: true });
  });

  const refused: readonly [string, unknown, RegExp][] = [
    ['nothing', undefined, /this is not a tool/],
    [
      'an object that only looks a little like one',
      { name: 'x', description: '', inputSchema: {} },
      /this is not a tool/,
    ],
    ['a name that no server takes', { ...add, name: 'a b' }, /1 to 59 letters/],
    ['a name that is too long', { ...add, name: 'x'.repeat(60) }, /1 to 59 letters/],
    ['a name that is taken', { ...add, name: 'MY-TOOL' }, /"MY-TOOL" is taken by a tool of other\.extension/],
    ['a schema that is none', { ...add, inputSchema: { type: 'string' } }, /must be of the type "object"/],
    ['a schema that is too large', { ...add, inputSchema: { type: 'object', x: 'y'.repeat(30_000) } }, /too large/],
  ];
  for (const [what, value, message] of refused) {
    it(`refuses ${what}`, () => {
      const tools = create();
      tools.add({ ...add, name: 'my_tool' }, 'other.extension');
      assert.throws(() => tools.add(value, 'acme.tools'), message);
      assert.equal(tools.current.length, 1);
    });
  }

  it('limits the number of tools of one extension', () => {
    const tools = create();
    for (let index = 0; index < 50; index++) tools.add({ ...add, name: `tool${index}` }, 'acme.tools');
    assert.throws(() => tools.add({ ...add, name: 'more' }, 'acme.tools'), /has 50 tools already/);
    tools.add({ ...add, name: 'more' }, 'other.extension');
  });
});
