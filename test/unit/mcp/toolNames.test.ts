import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { nameTools } from '../../../src/mcp/toolNames';
import { safetySample } from '../../support/safetySample';

describe('nameTools', () => {
  it("keeps a tool's own name where that is legal", () => {
    assert.deepEqual(nameTools('s', ['read_file', 'get-sum']), ['mcp__s__read_file', 'mcp__s__get-sum']);
  });

  it('gives no server the name of a tool of the agent', () => {
    const shape = z.object({ server: z.string(), tool: z.string() });
    const { input, expected } = safetySample('MC06', shape);
    assert.deepEqual(
      nameTools(input.server, [input.tool]).map((name) => `exposed as ${name}`),
      [expected],
    );
  });

  it('gives tools whose names become the same, or are too long, names that do not depend on their order', () => {
    const [dot, slash] = nameTools('s', ['a.b', 'a/b']);
    assert.match(dot!, /^mcp__s__a_b_[0-9a-f]{8}$/);
    assert.notEqual(dot, slash);
    assert.deepEqual(nameTools('s', ['a/b', 'a.b']), [slash, dot]);
    const [long] = nameTools('s', ['x'.repeat(200)]);
    assert.equal(long!.length, 64);
  });

  it('gives every tool of any servers a legal name of its own', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        const first = nameTools('a', one);
        const second = nameTools('a__b', other, first);
        const all = [...first, ...second];
        return new Set(all).size === all.length && all.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name));
      }),
    );
  });
});
