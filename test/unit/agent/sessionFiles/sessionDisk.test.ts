import assert from 'node:assert/strict';
import { writeWhole, type DiskCalls } from '../../../../src/agent/sessionFiles/sessionDisk';

describe('writeWhole', () => {
  it('rejects with the error that kept it from writing, also when the draft cannot be removed', async () => {
    const fails = (message: string) => async (): Promise<never> => {
      throw Object.assign(new Error(message), { code: 'EROFS' });
    };
    const disk: Partial<DiskCalls> = {
      mkdir: () => Promise.resolve(undefined),
      open: fails('EROFS: open'),
      unlink: fails('EROFS: unlink'),
    };
    await assert.rejects(
      writeWhole('/s/a.jsonl', 'a', { disk: disk as DiskCalls, token: 't' }),
      /^Error: EROFS: open$/,
    );
  });
});
