import assert from 'node:assert/strict';
import type { EntryBody } from '../../../../src/sdk/session/entries';
import { MAX_LINE_BYTES } from '../../../../src/sdk/session/lineSplitter';
import { SessionElsewhere, type LogLock } from '../../../../src/sdk/session/logLock';
import { loadEntries, SessionLog, type SessionLogParts } from '../../../../src/sdk/session/sessionLog';
import { ManualSchedule } from '../../../support/manualSchedule';
import { MemoryLogStorage } from '../../../support/sessions/memoryLogStorage';

const path = '/sessions/s.jsonl';

function title(text: string): EntryBody {
  return { type: 'title', title: text };
}

function openLog(storage: MemoryLogStorage, more: Partial<SessionLogParts> = {}): Promise<SessionLog> {
  let count = storage.text(path).split('\n').length;
  return SessionLog.open({
    path,
    storage,
    now: () => 1_000,
    newId: () => `e${count++}`,
    onListenerError: (error) => assert.fail(String(error)),
    ...more,
  });
}

async function titlesIn(storage: MemoryLogStorage): Promise<readonly string[]> {
  const { entries } = await loadEntries(path, storage);
  return entries.flatMap((entry) => (entry.type === 'title' ? [entry.title] : []));
}

describe('SessionLog', () => {
  it('writes one line an entry, with one write each, numbered and linked', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    log.append(title('one'));
    log.append(title('two'));
    log.append(title('branch'), { parentId: 'e1', id: 'chosen' });
    assert.equal(await log.sync(), undefined);
    assert.deepEqual(storage.steps, ['open', 'write title', 'write title', 'write title', 'sync']);
    assert.deepEqual(storage.text(path).split('\n'), [
      '{"v":1,"id":"e1","parentId":null,"seq":0,"ts":1000,"type":"title","title":"one"}',
      '{"v":1,"id":"e2","parentId":"e1","seq":1,"ts":1000,"type":"title","title":"two"}',
      '{"v":1,"id":"chosen","parentId":"e1","seq":2,"ts":1000,"type":"title","title":"branch"}',
      '',
    ]);
  });

  for (const [how, damage] of [
    ['was deleted', (storage: MemoryLogStorage) => storage.files.delete(path)],
    ['was cut', (storage: MemoryLogStorage) => storage.setText(path, storage.text(path).slice(0, 40))],
  ] as const) {
    it(`writes all entries again when the file ${how}, at each moment`, async () => {
      for (const moment of ['while it is open', 'after a failed write', 'before the first write'] as const) {
        const storage = new MemoryLogStorage();
        const first = await openLog(storage);
        first.append(title('one'));
        await first.sync();
        const log = moment === 'before the first write' ? await openLog(storage) : first;
        if (moment === 'after a failed write') {
          storage.fault = () => {
            throw new Error('EIO');
          };
          log.append(title('two'));
          await log.sync();
          storage.fault = undefined;
        }
        damage(storage);
        // The memory has no inode. A real file that was cut while it is open is found when it is opened again.
        if (how === 'was cut' && moment === 'while it is open') continue;
        log.append(title('three'));
        assert.equal(await log.sync(), undefined, moment);
        const expected = moment === 'after a failed write' ? ['one', 'two', 'three'] : ['one', 'three'];
        assert.deepEqual(await titlesIn(storage), expected, moment);
      }
    });
  }

  it('refuses an entry that could not be read again', async () => {
    const log = await openLog(new MemoryLogStorage());
    assert.throws(() => log.append(title('x'.repeat(MAX_LINE_BYTES))), /too large: title/);
    assert.deepEqual(log.entries, []);
  });

  it('creates no file before the first entry', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    await log.close();
    assert.deepEqual(storage.steps, []);
  });

  it('continues an existing file, in a new line when the last one is torn', async () => {
    const storage = new MemoryLogStorage();
    const first = await openLog(storage);
    first.append(title('one'));
    await first.close();
    const torn = `${storage.text(path)}{"v":1,"id":"to`;
    storage.setText(path, torn);

    const second = await openLog(storage);
    assert.deepEqual(second.problems, [{ line: 2, kind: 'torn', message: 'not readable: {"v":1,"id":"to' }]);
    second.append(title('two'));
    await second.close();
    assert.equal(
      storage.text(path),
      `${torn}\n{"v":1,"id":"e2","parentId":"e1","seq":1,"ts":1000,"type":"title","title":"two"}\n`,
    );
    assert.deepEqual(await titlesIn(storage), ['one', 'two']);
  });

  it('keeps entries in memory while writing fails, reports it once, and writes them with the next one', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    const states: (string | undefined)[] = [];
    log.onWriteState((error) => states.push(error?.message));
    storage.fault = (step) => {
      if (step === 'open') throw new Error('EROFS: read-only file system');
      return undefined;
    };
    log.append(title('one'));
    log.append(title('two'));
    assert.equal((await log.flush())?.message, 'EROFS: read-only file system');
    assert.equal(log.entries.length, 2);
    assert.deepEqual(states, ['EROFS: read-only file system']);

    storage.fault = undefined;
    log.append(title('three'));
    assert.equal(await log.sync(), undefined);
    assert.deepEqual(states, ['EROFS: read-only file system', undefined]);
    assert.deepEqual(await titlesIn(storage), ['one', 'two', 'three']);
  });

  it('continues after a write that took only a part', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    const states: unknown[] = [];
    log.onWriteState((error) => states.push(error));
    storage.fault = (step) => (step === 'write' ? 10 : undefined);
    log.append(title('one'));
    log.append(title('two'));
    assert.equal(await log.sync(), undefined);
    assert.deepEqual(states, []);
    const { entries, problems } = await loadEntries(path, storage);
    assert.deepEqual([entries, problems], [log.entries, []]);
  });

  it('completes its own line after a failed write', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    log.append(title('one'));
    await log.flush();
    let writes = 0;
    storage.fault = (step) => {
      if (step !== 'write') return undefined;
      writes += 1;
      if (writes === 2) throw new Error('ENOSPC: no space left on device');
      return writes === 1 ? 10 : undefined;
    };
    log.append(title('two'));
    assert.equal((await log.flush())?.message, undefined);
    const { entries, problems } = await loadEntries(path, storage);
    assert.deepEqual([entries, problems], [log.entries, []]);
  });

  it('keeps what another process has appended, and continues in a new line', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    log.append(title('one'));
    await log.flush();
    storage.fault = (step) => {
      if (step === 'write') throw new Error('EIO: i/o error');
      return undefined;
    };
    log.append(title('two'));
    await log.flush();
    storage.fault = undefined;
    const foreign = `${storage.text(path)}{"v":1,"id":"other`;
    storage.setText(path, foreign);
    assert.equal(await log.flush(), undefined);
    assert.ok(storage.text(path).startsWith(`${foreign}\n{`));
    assert.deepEqual(await titlesIn(storage), ['one', 'two']);
  });

  it('repeats entries that a failed sync may have lost, and reads a repeated line once', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    let failures = 0;
    storage.fault = (step) => {
      if (step !== 'sync') return undefined;
      failures += 1;
      // What the system had taken is gone.
      if (failures === 1) storage.setText(path, '');
      if (failures <= 2) throw new Error('EIO: i/o error');
      return undefined;
    };
    log.append(title('one'));
    log.append(title('two'));
    assert.equal((await log.sync())?.message, 'EIO: i/o error');
    assert.equal((await log.sync())?.message, 'EIO: i/o error');
    assert.equal(await log.sync(), undefined);
    const { entries, problems } = await loadEntries(path, storage);
    assert.deepEqual([entries, problems], [log.entries, []]);
    assert.equal(storage.text(path).split('"one"').length, 2, 'no more often than once');
  });

  it('retries after a while, with growing waits', async () => {
    const storage = new MemoryLogStorage();
    const schedule = new ManualSchedule();
    const log = await openLog(storage, { setTimer: schedule.schedule });
    const delays: number[] = [];
    storage.fault = (step) => {
      if (step === 'open') throw new Error('EROFS: read-only file system');
      return undefined;
    };
    log.append(title('one'));
    for (let count = 0; count < 7; count += 1) {
      await log.flush();
      delays.push(...schedule.delays);
      schedule.run();
    }
    assert.deepEqual(delays, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    storage.fault = undefined;
    await log.flush();
    assert.deepEqual([await titlesIn(storage), schedule.delays], [['one'], []]);
  });

  it('writes nothing while another process has the file', async () => {
    const storage = new MemoryLogStorage();
    let isTaken = true;
    const steps: string[] = [];
    const lock: LogLock = {
      acquire: async () => {
        if (isTaken) throw new SessionElsewhere();
      },
      release: async () => void steps.push('release'),
    };
    const log = await openLog(storage, { lock });
    log.append(title('one'));
    assert.equal((await log.sync())?.message, 'This session is open in another window.');
    assert.deepEqual(storage.steps, []);
    isTaken = false;
    assert.equal(await log.close(), undefined);
    assert.deepEqual([await titlesIn(storage), steps], [['one'], ['release']]);
  });

  it('rejects entries after it is closed', async () => {
    const log = await openLog(new MemoryLogStorage());
    await log.close();
    assert.throws(() => log.append(title('late')), /The session file \/sessions\/s\.jsonl is closed/);
  });
});
