import assert from 'node:assert/strict';
import { cliEventLine, safeJson } from '../../../../src/cli/prompt/cliEvents';

describe('an event line', () => {
  it('has the version and the time, and is one line', () => {
    assert.equal(cliEventLine({ type: 'text', text: 'a\nb' }, 12), '{"v":1,"ts":12,"type":"text","text":"a\\nb"}\n');
  });

  it('escapes characters that terminals and line readers act on, and keeps the value', () => {
    const value = 'a\u001b[2J\u007f\u0085\u009bb\u2028c\u2029d\r\n';
    const line = safeJson(value);
    assert.match(line, /^[\x20-\x7e]*$/);
    assert.equal(JSON.parse(line), value);
  });
});
