import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HeaderFields } from '../../../../../src/sdk/model/http/headerFields';

const name = fc.constantFrom('accept', 'Accept', 'X-Session-Id', 'x-session-id', 'set-cookie', 'Set-Cookie', 'b', 'A');
const value = fc.stringMatching(/^[ \t]*[!-~](?:[ -~]*[!-~])?[ \t]*$/).map((text) => text.slice(0, 20).trimEnd());
const step = fc.oneof(
  fc.record({ way: fc.constantFrom('append', 'set'), name, value }),
  fc.record({ way: fc.constant('delete'), name, value }),
);

describe('HeaderFields', () => {
  it('does what the Headers of the platform do', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const [own, platform] = [new HeaderFields(), new Headers()];
        for (const { way, name, value } of steps) {
          for (const fields of [own, platform]) {
            if (way === 'append') fields.append(name, value);
            else if (way === 'set') fields.set(name, value);
            else fields.delete(name);
          }
        }
        assert.deepEqual([...own], [...platform]);
        assert.deepEqual([[...own.keys()], [...own.values()]], [[...platform.keys()], [...platform.values()]]);
        assert.deepEqual(own.getSetCookie(), platform.getSetCookie());
        for (const { name } of steps) {
          assert.deepEqual([own.get(name), own.has(name)], [platform.get(name), platform.has(name)]);
        }
        const seen: [string, string][] = [];
        own.forEach((value, name) => seen.push([name, value]));
        assert.deepEqual(seen, [...platform]);
      }),
    );
  });

  it('is made of a record, of pairs, and of other fields, and makes them', () => {
    const record = { Accept: ' text/plain ', 'x-a': '1' };
    const expected = [
      ['accept', 'text/plain'],
      ['x-a', '1'],
    ];
    for (const given of [record, Object.entries(record), new Headers(record), new HeaderFields(record)]) {
      assert.deepEqual([...new HeaderFields(given)], expected);
      assert.deepEqual([...new Headers(new HeaderFields(given))], expected);
    }
    assert.deepEqual([...new HeaderFields()], []);
  });
});
