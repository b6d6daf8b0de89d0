import assert from 'node:assert/strict';
import path from 'node:path';
import { lastEventMs } from '../../../../src/agent/sessionFiles/lastEvent';
import { createTemporaryFolder } from '../../../support/files/temporaryFolder';

const entry = (ts: number, title = 'a'): string =>
  `${JSON.stringify({ v: 1, id: `e${ts}`, parentId: null, seq: 0, ts, type: 'title', title })}\n`;

describe('lastEventMs', () => {
  for (const [name, text, expected] of [
    ['the last entry', entry(1) + entry(2), 2],
    ['the one before a torn end', `${entry(1)}${entry(2)}{"v":1,"id":"e3","ts":3`, 2],
    ['the one before a line that is no entry', `${entry(1)}{"ts": 5}\n`, 1],
    ['an entry that is longer than the end that is read first', entry(1) + entry(2, 'x'.repeat(200_000)), 2],
    ['none in an empty file', '', undefined],
    ['none in a file of something else', 'hello\n', undefined],
  ] as const) {
    it(`is the time of ${name}`, async () => {
      await using folder = await createTemporaryFolder({ 's.jsonl': text });
      assert.equal(await lastEventMs(path.join(folder.path, 's.jsonl')), expected);
    });
  }
});
