import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import type { EntryBody } from '../../../src/sdk/session/entries';
import { createLogStorage } from '../../../src/sdk/session/createLogStorage';
import { readEntries } from '../../../src/sdk/session/readEntries';
import { loadEntries, SessionLog } from '../../../src/sdk/session/sessionLog';
import { bundleProgram, type BundledProgram } from '../../support/bundleProgram';
import { failEachCall, FAULTS } from '../../support/files/faultyDisk';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

/** SECURITY.md promises durability when a process dies, not when a machine does. */
describe('session durability', () => {
  let writer: BundledProgram;

  before(async () => {
    writer = await bundleProgram('sessionWriter');
  });

  after(() => writer[Symbol.asyncDispose]());

  function startWriter(file: string, burst: number, rounds: number): ChildProcess {
    return writer.start(file, String(burst), String(rounds));
  }

  function print(line: string): void {
    process.stdout.write(`      ${line}\n`);
  }

  it('keeps every acknowledged entry when the process is killed during an append, 200 times', async () => {
    await using folder = await createTemporaryFolder();
    let acknowledged = 0;
    let torn = 0;
    const kill = async (file: string, wanted: number): Promise<void> => {
      const child = startWriter(file, 1_000_000, 0);
      let told = '';
      await new Promise<void>((resolve) =>
        child.stdout?.on('data', (data: Buffer) => {
          told += data.toString();
          if (told.split('\n').length > wanted) resolve();
        }),
      );
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
      // Only a number with its line break counts as acknowledged.
      const count = told.split('\n').length - 1;
      acknowledged += count;
      const { entries, problems } = await loadEntries(file, createLogStorage(nodeFiles));
      const own = entries.flatMap((entry) =>
        entry.type === 'title' && entry.title.startsWith(`${child.pid} `) ? [Number(entry.title.split(' ')[2])] : [],
      );
      assert.deepEqual(
        own.slice(0, count),
        Array.from({ length: count }, (_, index) => index + 1),
      );
      torn += problems.filter(({ kind }) => kind === 'torn').length;
    };
    // Each process continues after the last kill, with its lock and torn line. The file stays short.
    const lane = async (name: number): Promise<void> => {
      for (let count = 0; count < 50; count += 1) {
        await kill(path.join(folder.path, `${name}-${Math.floor(count / 10)}.jsonl`), 1 + ((count * 7) % 20));
      }
    };
    await Promise.all([1, 2, 3, 4].map(lane));
    print(`200 kills, ${acknowledged} acknowledged entries, 0 lost, ${torn} lines torn`);
  });

  it('never mixes the entries of two processes', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 's.jsonl');
    const [burst, rounds, processes] = [10, 15, 4];
    const children = Array.from({ length: processes }, () => startWriter(file, burst, rounds));
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(children.map((child) => once(child, 'close').then(([code]) => code as number)));
    assert.deepEqual(codes, [0, 0, 0, 0]);
    const { entries, problems } = readEntries(await nodeFiles.readFile(file));
    const turns = entries.map((entry) => (entry.type === 'title' ? entry.title.split(' ').slice(0, 2).join(' ') : ''));
    const stretches = turns.filter((turn, index) => turn !== turns[index - 1]);
    print(`${processes} processes, ${entries.length} entries, ${stretches.length} turns, ${problems.length} problems`);
    assert.deepEqual(problems, []);
    assert.equal(entries.length, burst * rounds * processes);
    assert.equal(stretches.length, rounds * processes, 'each turn is in one piece');
    assert.deepEqual(
      entries.map(({ seq, parentId }) => [seq, parentId]),
      entries.map((_, index) => [index, entries[index - 1]?.id ?? null]),
    );
    assert.deepEqual(await nodeFiles.readdir(folder.path), ['s.jsonl']);
  });

  it('keeps every acknowledged entry when any one call to the disk fails', async () => {
    for (const code of FAULTS) {
      const failed = await failEachCall(nodeFiles, code, async (disk, at) => {
        await using folder = await createTemporaryFolder();
        const file = path.join(folder.path, 'deep', 's.jsonl');
        // A session that cannot be read is not opened; the person tries again.
        const log = await open(file, disk).catch(() => open(file, disk));
        const acknowledged: string[] = [];
        for (let index = 0; index < 6; index += 1) {
          log.append(title(`entry ${index}`));
          const error = await (index % 2 === 0 ? log.flush() : log.sync());
          if (!error) acknowledged.splice(0, Infinity, ...titles(log.entries));
          // A crash now would leave this file, so it must hold the entries.
          const { entries } = await loadEntries(file, createLogStorage(nodeFiles));
          assert.deepEqual(titles(entries).slice(0, acknowledged.length), acknowledged, `${code} at call ${at}`);
        }
        assert.equal(await log.close(), undefined, `${code} at call ${at}`);
        const { entries, problems } = await loadEntries(file, createLogStorage(nodeFiles));
        assert.deepEqual(entries, log.entries, `${code} at call ${at}`);
        assert.deepEqual(problems, [], `${code} at call ${at}`);
      });
      print(`${code}: ${failed} calls failed, one at a time, nothing lost`);
    }
  });

  it('loads every complete entry of a file cut at any byte', async () => {
    await using folder = await createTemporaryFolder();
    const file = path.join(folder.path, 's.jsonl');
    const log = await open(file, nodeFiles);
    for (const text of ['plain', 'Grüße, "quoted" \\ 🙂', 'line\nbreak', 'x'.repeat(3_000)]) log.append(title(text));
    log.append({ type: 'assistant_partial', blocks: [{ block: 0, type: 'text', text: 'Once upon' }] });
    log.append({ type: 'tool_call', toolUseId: 'c', toolName: 'read', input: { path: 'a/b' } });
    await log.close();
    const bytes = await nodeFiles.readFile(file);
    const ends = [...bytes.keys()].filter((index) => bytes[index] === 0x0a);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { entries } = readEntries(bytes.subarray(0, cut));
      assert.deepEqual(entries, log.entries.slice(0, ends.filter((end) => end <= cut).length), `cut at ${cut}`);
    }
    print(`${bytes.length + 1} cuts, every complete entry loaded`);
  });
});

function title(text: string): EntryBody {
  return { type: 'title', title: text };
}

function titles(entries: SessionLog['entries']): readonly string[] {
  return entries.flatMap((entry) => (entry.type === 'title' ? [entry.title] : []));
}

function open(file: string, disk: Parameters<typeof createLogStorage>[0]): Promise<SessionLog> {
  let count = 0;
  return SessionLog.open({
    path: file,
    storage: createLogStorage(disk),
    now: Date.now,
    newId: () => `e${(count += 1)}`,
    // Closing a file may fail too; its entries are then written again.
    onListenerError: () => {},
  });
}
