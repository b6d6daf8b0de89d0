import assert from 'node:assert/strict';
import { VscodeTools, type KnownTool } from '../../../../src/host/vscodeTools/vscodeTools';
import { callTool } from '../../../support/callTool';

const weather: KnownTool = {
  name: 'weather',
  description: 'The weather',
  inputSchema: { $schema: 'x', type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  extension: 'acme.tools',
};
const plain: KnownTool = { name: 'mcp_files_list', description: '', inputSchema: undefined, extension: null };

function create(known: readonly KnownTool[] = [weather, plain], stored?: unknown) {
  const memory = new Map<string, unknown>([['openAgent.vscodeTools', stored]]);
  const calls: unknown[] = [];
  let current = known;
  let changes = 0;
  const tools = new VscodeTools({
    known: () => current,
    invoke: async (name, input) => `${calls.push([name, input])}`,
    memory: { get: (key) => memory.get(key), update: async (key, value) => void memory.set(key, value) },
    onInternalError: (error) => assert.fail(String(error)),
  });
  tools.onChange(() => (changes += 1));
  return {
    tools,
    calls,
    memory,
    setKnown: (next: readonly KnownTool[]) => (current = next),
    changes: () => changes,
  };
}

describe('VscodeTools', () => {
  it('uses only tools that are switched on', () => {
    const { tools } = create();
    assert.deepEqual(tools.current, []);
    assert.deepEqual(
      tools.offered.map(({ key, isOn }) => ({ key, isOn })),
      [
        { key: 'acme.tools/weather', isOn: false },
        { key: '/mcp_files_list', isOn: false },
      ],
    );
  });

  it('calls tools by their own names', async () => {
    const { tools, calls, changes } = create();
    await tools.choose(['acme.tools/weather', '/mcp_files_list', 'made/up']);
    assert.deepEqual(
      tools.current.map(({ name, server, inputSchema }) => ({ name, server, inputSchema })),
      [
        {
          name: 'vscode__weather',
          server: 'acme.tools',
          inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
        },
        { name: 'vscode__mcp_files_list', server: 'vscode', inputSchema: { type: 'object', properties: {} } },
      ],
    );
    const plans: unknown[] = [];
    const approve = (plan: unknown) => plans.push(plan) && plan;
    const result = await callTool(tools.current, 'vscode__weather', { place: 'Ulm' }, { approve });
    assert.deepEqual(plans, [
      { kind: 'extension', extension: 'acme.tools', tool: 'weather', arguments: { place: 'Ulm' } },
    ]);
    assert.deepEqual(
      [result, calls, changes()],
      [{ content: '1', isError: false }, [['weather', { place: 'Ulm' }]], 1],
    );
  });

  it('keeps tools of the same name of two extensions apart', async () => {
    const { tools, setKnown } = create();
    await tools.choose(['acme.tools/weather']);
    setKnown([{ ...weather, extension: 'evil.tools' }]);
    assert.deepEqual(tools.current, []);
  });

  it('refuses calls of a tool that was switched off meanwhile', async () => {
    const { tools, calls } = create();
    await tools.choose(['acme.tools/weather']);
    const { current } = tools;
    await tools.choose([]);
    assert.match(JSON.stringify(await callTool(current, 'vscode__weather', { place: 'a' })), /is not there any more/);
    assert.deepEqual([tools.current, calls], [[], []]);
    await tools.choose(['acme.tools/weather']);
    assert.deepEqual(await callTool(tools.current, 'vscode__weather', { place: 'a' }), {
      content: '1',
      isError: false,
    });
  });

  it('keeps the choice of absent tools', async () => {
    const { tools, setKnown, memory } = create();
    await tools.choose(['/mcp_files_list']);
    setKnown([weather]);
    await tools.choose(['acme.tools/weather']);
    assert.deepEqual(memory.get('openAgent.vscodeTools'), ['/mcp_files_list', 'acme.tools/weather']);
    setKnown([weather, plain]);
    assert.equal(tools.current.length, 2);
  });

  it('leaves out tools whose schema is not an object, or too large', async () => {
    const schemas = [{ type: 'string' }, { type: 'object', description: 'x'.repeat(30_000) }];
    const known = schemas.map((inputSchema, index) => ({ ...weather, name: `w${index}`, inputSchema }));
    const { tools } = create(known);
    await tools.choose(['acme.tools/w0', 'acme.tools/w1']);
    assert.deepEqual(tools.current, []);
  });

  it('ignores an unreadable choice', () => {
    assert.deepEqual(create([weather], { weather: true }).tools.current, []);
  });
});
