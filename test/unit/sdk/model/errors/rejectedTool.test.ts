import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findRejectedTool } from '../../../../../src/sdk/model/errors/rejectedTool';
import type { ToolDefinition } from '../../../../../src/sdk/model/modelProvider';

const tool = (name: string): ToolDefinition => ({ name, description: name, inputSchema: { type: 'object' } });
const toolsOf = (count: number): readonly ToolDefinition[] =>
  Array.from({ length: count }, (_, index) => tool(`t${index}`));

describe('the search of a rejected tool', () => {
  it('finds one of those that a server rejects, with few requests', async () => {
    const cases = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(199), { minLength: 1, maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(cases, async ([count, picked]) => {
        const bad = new Set(picked.map((index) => `t${index % count}`));
        let requests = 0;
        const found = await findRejectedTool(toolsOf(count), (some) => {
          requests += 1;
          return Promise.resolve(some.some(({ name }) => bad.has(name)) ? 'rejected' : 'taken');
        });
        assert.ok(found !== undefined && bad.has(found), found);
        assert.ok(requests <= Math.ceil(Math.log2(count)) + 2, `${requests} requests for ${count} tools`);
      }),
    );
  });

  it('names the most unusual one when none is rejected alone, and none when all are plain', async () => {
    const odd: ToolDefinition = { ...tool('odd'), inputSchema: { type: 'object', not: {} } };
    const tooMany = (some: readonly ToolDefinition[]) =>
      Promise.resolve(some.length > 3 ? ('rejected' as const) : ('taken' as const));
    assert.equal(await findRejectedTool([...toolsOf(3), odd, tool('last')], tooMany), 'odd');
    assert.equal(await findRejectedTool(toolsOf(4), tooMany), undefined);
  });

  it('names none when the server rejects everything, or fails', async () => {
    let requests = 0;
    const always = (outcome: 'rejected' | undefined) => () => {
      requests += 1;
      return Promise.resolve(outcome);
    };
    assert.equal(await findRejectedTool(toolsOf(9), always('rejected')), undefined);
    assert.equal(await findRejectedTool(toolsOf(9), always(undefined)), undefined);
    assert.equal(requests, 2);
  });
});
