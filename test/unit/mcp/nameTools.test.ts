import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { nameTools } from '../../../src/mcp/nameTools';
import { safetySample } from '../../support/safetySample';

describe('nameTools', () => {
  it("keeps a tool's own name when it is legal", () => {
    assert.deepEqual(nameTools('s', ['read_file', 'get-sum']), ['mcp__s__read_file', 'mcp__s__get-sum']);
  });

  it('gives no server tool the name of an agent tool', () => {
    const shape = z.object({ server: z.string(), tool: z.string() });
    const { input, expected } = safetySample('MC06', shape);
    assert.deepEqual(
      nameTools(input.server, [input.tool]).map((name) => `exposed as ${name}`),
      [expected],
    );
  });

  it('names colliding and long names the same in any order', () => {
    const [dot, slash] = nameTools('s', ['a.b', 'a/b']);
    assert.match(dot!, /^mcp__s__a_b_[0-9a-f]{8}$/);
    assert.notEqual(dot, slash);
    assert.deepEqual(nameTools('s', ['a/b', 'a.b']), [slash, dot]);
    const [long] = nameTools('s', ['x'.repeat(200)]);
    assert.equal(long!.length, 64);
  });

  it('gives every tool of all servers a unique legal name', () => {
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
