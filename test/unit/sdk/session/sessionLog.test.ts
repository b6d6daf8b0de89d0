import assert from 'node:assert/strict';
import type { EntryBody } from '../../../../src/sdk/session/entries';
import { loadEntries, SessionLog } from '../../../../src/sdk/session/sessionLog';
import { MemoryLogStorage } from '../../../support/memoryLogStorage';

const path = '/sessions/s.jsonl';

function title(text: string): EntryBody {
  return { type: 'title', title: text };
}

function openLog(storage: MemoryLogStorage): Promise<SessionLog> {
  let count = storage.text(path).split('\n').length;
  return SessionLog.open({
    path,
    storage,
    now: () => 1_000,
    newId: () => `e${count++}`,
    onListenerError: (error) => assert.fail(String(error)),
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

  it('creates no file before the first entry', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    await log.close();
    assert.deepEqual(storage.steps, []);
  });

  it('goes on after what is there, in a new line when the last one is torn', async () => {
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

  it('keeps entries in memory while writing fails, says so once, and writes them with the next one', async () => {
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

  it('repeats a line of which only a part was written, on a line of its own', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    log.append(title('one'));
    await log.flush();
    const states: (string | undefined)[] = [];
    log.onWriteState((error) => states.push(error?.message.replace(/of \d+/, 'of N')));
    storage.fault = (step) => {
      if (step === 'write') storage.fault = undefined;
      return step === 'write' ? 10 : undefined;
    };
    log.append(title('two'));
    assert.equal(await log.sync(), undefined);
    assert.deepEqual(states, ['Only 10 of N bytes were written to /sessions/s.jsonl.', undefined]);
    const { entries, problems } = await loadEntries(path, storage);
    assert.deepEqual(entries, log.entries);
    assert.deepEqual(problems, [{ line: 2, kind: 'corrupt', message: 'not readable: {"v":1,"id' }]);
  });

  it('reads a line once that was written although its write was reported as failed', async () => {
    const storage = new MemoryLogStorage();
    const log = await openLog(storage);
    let isFirst = true;
    storage.fault = (step) => {
      if (step === 'sync' && isFirst) throw new Error('EIO: i/o error');
      return undefined;
    };
    log.append(title('one'));
    assert.equal((await log.sync())?.message, 'EIO: i/o error');
    isFirst = false;
    storage.setText(path, storage.text(path).repeat(2));
    assert.equal(await log.sync(), undefined);
    assert.deepEqual(await loadEntries(path, storage).then(({ entries, problems }) => [entries, problems]), [
      log.entries,
      [],
    ]);
  });

  it('takes nothing more once it is closed', async () => {
    const log = await openLog(new MemoryLogStorage());
    await log.close();
    assert.throws(() => log.append(title('late')), /The session file \/sessions\/s\.jsonl is closed/);
  });
});
