import assert from 'node:assert/strict';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import { keepDamage } from '../../../../src/agent/sessionFiles/keepDamage';
import { readEntries, type LogProblem } from '../../../../src/sdk/session/readEntries';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

const good = `${JSON.stringify({ v: 1, id: 'a', parentId: null, seq: 0, ts: 0, type: 'title', title: 'A' })}\n`;
const other = good.replace('"A"', '"B"');
const noText = Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x0a]);

describe('keepDamage', () => {
  let folder: TemporaryFolder;
  let file: string;
  let errors: unknown[];

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    file = path.join(folder.path, 's.jsonl');
    errors = [];
  });
  afterEach(() => folder.dispose());

  async function keep(bytes: Uint8Array, { canWrite = true, disk = nodeFiles } = {}): Promise<readonly LogProblem[]> {
    return keepDamage(readEntries(bytes), {
      path: file,
      disk,
      token: 't',
      canWrite,
      onInternalError: (error) => errors.push(error),
    });
  }

  const lines = (problems: readonly LogProblem[]): readonly number[] => problems.map(({ line }) => line);
  const aside = (): Promise<Buffer> => nodeFiles.readFile(`${file}.damaged`);

  it('copies each line that cannot be read, byte for byte, and tells of it once', async () => {
    const zeros = Buffer.alloc(40);
    const bytes = Buffer.concat([Buffer.from(good), noText, zeros, Buffer.from('\n'), Buffer.from(other), noText]);
    const problems = await keep(bytes);
    assert.deepEqual(lines(problems), [2, 3, 4, 5]);
    assert.deepEqual([...new Set(problems.map(({ keptIn }) => keptIn))], [`${file}.damaged`]);
    assert.deepEqual(await aside(), Buffer.concat([noText, zeros, Buffer.from(`\n${other}`)]));
    assert.deepEqual(await keep(bytes), []);
  });

  it('tells of a torn line once, also when something was written behind it', async () => {
    const torn = Buffer.from(`${good}{"v":1,"id":"to`);
    assert.deepEqual(
      (await keep(torn)).map(({ line, kind }) => [line, kind]),
      [[2, 'torn']],
    );
    assert.deepEqual(await keep(Buffer.concat([torn, Buffer.from('\n'), Buffer.from(good)])), []);
  });

  it('adds to what it kept before', async () => {
    await keep(Buffer.from(`${good}one\n`));
    assert.deepEqual(lines(await keep(Buffer.from(`${good}one\ntwo\n`))), [3]);
    assert.equal((await aside()).toString(), 'one\ntwo\n');
  });

  it('writes nothing where it must not, and nothing for a sound file or a newer one', async () => {
    assert.deepEqual(lines(await keep(Buffer.from(`${good}one\n`), { canWrite: false })), [2]);
    assert.deepEqual(await keep(Buffer.from(good)), []);
    assert.deepEqual(
      (await keep(Buffer.from(good.replace('"v":1', '"v":2')))).map(({ kind }) => kind),
      ['newer'],
    );
    assert.deepEqual(await nodeFiles.readdir(folder.path), []);
  });

  it('tells of everything when no copy can be made', async () => {
    const open = async (): Promise<never> => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    const problems = await keep(Buffer.from(`${good}one\n`), { disk: { ...nodeFiles, open } });
    assert.deepEqual(
      problems.map(({ line, keptIn }) => [line, keptIn]),
      [[2, undefined]],
    );
    assert.deepEqual(errors.map(String), ['Error: ENOSPC']);
  });
});
