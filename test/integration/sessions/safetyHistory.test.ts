import assert from 'node:assert/strict';
import { constants } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import path from 'node:path';
import type { SessionRegistry, SessionRegistryParts } from '../../../src/agent/session/sessionRegistry';
import { nodeProcesses } from '../../../src/workspace/node/processes/processIdentity';
import { withDeath } from '../../support/files/faultyDisk';
import { proving, safetySample } from '../../support/safetySample';
import { response, ScriptedProvider, textResponse, toolUse, type Script } from '../../support/servers/scriptedProvider';
import { ManualSchedule } from '../../support/manualSchedule';
import { outline, SessionBench, sessionFile } from '../../support/sessions/sessions';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { clientsOf, createRegistry } from '../../support/sessions/registry';

const hour = 60 * 60_000;

function line(id: string, parentId: string | null, more: object): string {
  return `${JSON.stringify({ v: 1, id, parentId, seq: 0, ts: 0, ...more })}\n`;
}
const said = (id: string, parentId: string | null, text: string): string =>
  line(id, parentId, { type: 'user_message', text, contextLabels: [], content: text, origin: 'prompt' });
const head = line('h', null, { type: 'system_message', systemPrompt: 's', workspace: null, model: 'm', baseUrl: 'u' });
/** A session file older than format versions. */
const oldFile =
  '{"type":"title","title":"Old"}\n' +
  '{"type":"user_message","text":"Hi","contextLabels":[],"content":"Hi","origin":"prompt"}\n' +
  '{"type":"foo","from":"elsewhere"}\n';

describe('the safety samples about history, on the disk', () => {
  let folder: TemporaryFolder;
  let provider: ScriptedProvider;
  const registries: SessionRegistry[] = [];

  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    for (const registry of registries.splice(0)) await registry.dispose();
    await folder.dispose();
  });

  const fileOf = (id: string): string => path.join(folder.path, `${id}.jsonl`);
  const read = (name: string): Promise<string> => nodeFiles.readFile(path.join(folder.path, name), 'utf8');

  /** A separate window, as far as the files show. */
  function window(parts: Partial<SessionRegistryParts> = {}, ...scripts: readonly Script[]): SessionRegistry {
    provider = new ScriptedProvider(scripts);
    return createRegistry(folder.path, {
      createClient: clientsOf({ provider, autoExecuteTools: false }),
      setTimer: new ManualSchedule().schedule,
      ...parts,
    });
  }

  function openWindow(...scripts: readonly Script[]): SessionRegistry {
    const registry = window({}, ...scripts);
    registries.push(registry);
    return registry;
  }

  /** A session whose file holds this text, and its view in a window. */
  async function load(text: string, ...scripts: readonly Script[]) {
    await nodeFiles.writeFile(fileOf('s'), text);
    const session = await openWindow(...scripts).open('s');
    return { session, shown: outline(session.view) };
  }

  it(proving('HI01 HI02', 'opens an empty file and a file with only a head as empty sessions'), async () => {
    for (const text of ['', head]) {
      const { session, shown } = await load(text, textResponse('Hello.'));
      assert.deepEqual(shown, []);
      await session.submit({ text: 'Hi' });
      await session.whenIdle();
      assert.deepEqual(outline(session.view), ['prompt: Hi', 'text: Hello.']);
      await registries.pop()?.dispose();
    }
  });

  it(proving('HI06', 'loses one line to a block of zeros, reports it, and keeps the lines after it'), async () => {
    const { shown } = await load(`${said('a', null, 'A')}${'\0'.repeat(400)}\n${said('b', 'a', 'B')}`);
    assert.deepEqual(shown.slice(0, 2), ['prompt: A', 'prompt: B']);
    assert.equal(shown.filter((item) => /^notice .*Line 2 of .* could not be read/.test(item)).length, 1);
  });

  it(proving('HI16', 'cuts a cycle of parents'), async () => {
    const { shown } = await load(said('a', 'c', 'A') + said('b', 'a', 'B') + said('c', 'b', 'C'));
    assert.deepEqual(shown.slice(0, 3), ['prompt: A', 'prompt: B', 'prompt: C']);
  });

  it(proving('HI18 HI20', 'migrates an older file completely, and keeps the original'), async () => {
    const { session, shown } = await load(oldFile, textResponse('Hello.'));
    assert.deepEqual(shown.slice(0, 1), ['prompt: Hi']);
    assert.equal(await read('s.jsonl.v0'), oldFile);
    const migrated = await read('s.jsonl');
    assert.match(migrated, /^\{.*"type":"foo","from":"elsewhere".*\}$/m);
    await session.submit({ text: 'Again' });
    await session.whenIdle();
    assert.equal((await read('s.jsonl')).startsWith(migrated), true);
  });

  /** The process list of a window that is killed: later windows find it dead. */
  async function mortalProcesses() {
    const self = await nodeProcesses.self();
    return { ...nodeProcesses, self: async () => ({ ...self, pid: 2 ** 30 }) };
  }

  it(proving('HI21', 'leaves the old or the new file when a window is killed during a migration'), async () => {
    const states = new Set<string>();
    for (let at = 1, isOver = false; !isOver; at += 1) {
      await nodeFiles.rm(folder.path, { recursive: true });
      await nodeFiles.mkdir(folder.path);
      await nodeFiles.writeFile(fileOf('s'), oldFile);
      const { disk, death, bury } = withDeath(nodeFiles, at);
      const dying = window({ disk, processes: await mortalProcesses() });
      isOver = (await Promise.race([dying.open('s'), death])) !== undefined;
      const left = await read('s.jsonl');
      states.add(left === oldFile ? 'old' : 'new');
      if (left !== oldFile) assert.match(left, /^\{[^\n]*"v":1[^\n]*\}\n\{[^\n]*\}\n\{[^\n]*"foo"[^\n]*\}\n$/, `${at}`);
      const next = window();
      assert.deepEqual(outline((await next.open('s')).view).slice(0, 1), ['prompt: Hi'], `killed at call ${at}`);
      assert.equal(await read('s.jsonl.v0'), oldFile, `killed at call ${at}`);
      await next.dispose();
      await bury();
    }
    assert.deepEqual([...states].toSorted(), ['new', 'old']);
  });

  it(proving('HI23', 'tells the person when nothing can be written, and continues in memory'), async () => {
    for (const code of safetySample('HI23').input.split(' / ')) {
      const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error(`${code}: no`), { code }));
      const open: typeof nodeFiles.open = (file, flags, mode) =>
        (Number(flags) & constants.O_WRONLY) === 0 && flags !== 'wx' ? nodeFiles.open(file, flags, mode) : refuse();
      const disk = { ...nodeFiles, open, mkdir: refuse, link: refuse, writeFile: refuse };
      const registry = window({ disk, onInternalError: () => {} }, textResponse('Hello.'));
      const session = await registry.create();
      await session.submit({ text: 'Hi' });
      await session.whenIdle();
      const shown = outline(session.view).toSorted();
      assert.match(shown[0] ?? '', new RegExp(`^notice .*This session cannot be saved.*${code}.* in memory`));
      assert.deepEqual(shown.slice(1), ['prompt: Hi', 'text: Hello.']);
      await registry.dispose();
    }
  });

  it(proving('HI25', 'takes over the lock of a dead process, even if its id is in use again'), async () => {
    const self = await nodeProcesses.self();
    const owners = [
      { process: { ...self, pid: 2 ** 30 }, isDead: true },
      { process: { ...self, startTime: '1' }, isDead: true },
      { process: self, isDead: false },
    ];
    for (const { process, isDead } of owners) {
      await nodeFiles.writeFile(path.join(folder.path, 's.lock'), JSON.stringify({ token: 'theirs', process }));
      const { session } = await load(head);
      assert.equal(session.view.readOnly?.why, isDead ? undefined : 'elsewhere');
      await registries.pop()?.dispose();
      await nodeFiles.rm(path.join(folder.path, 's.lock'), { force: true });
    }
  });

  it(
    proving('HI38', 'leaves a complete index when a window is killed while replacing it, and soon no draft'),
    async () => {
      await nodeFiles.writeFile(fileOf('a'), said('a', null, 'A'));
      const first = window();
      assert.equal((await first.list()).length, 1);
      await first.dispose();
      const before = await read('index.json');
      await nodeFiles.writeFile(fileOf('b'), said('b', null, 'B'));
      let drafts = 0;
      for (let at = 1, isOver = false; !isOver; at += 1) {
        await nodeFiles.writeFile(path.join(folder.path, 'index.json'), before);
        const { disk, death, bury } = withDeath(nodeFiles, at);
        isOver = (await Promise.race([window({ disk }).list(), death])) !== undefined;
        const left = await read('index.json');
        if (left !== before) assert.equal(Object.keys((JSON.parse(left) as { files: object }).files).length, 2);
        const isDraft = (name: string): boolean => name.endsWith('.tmp');
        drafts += (await nodeFiles.readdir(folder.path)).filter(isDraft).length;
        const next = window({ now: () => Date.now() + 2 * hour });
        assert.equal((await next.list()).length, 2, `killed at call ${at}`);
        assert.deepEqual((await nodeFiles.readdir(folder.path)).filter(isDraft), [], `killed at call ${at}`);
        await next.dispose();
        await bury();
      }
      assert.ok(drafts > 0);
    },
  );
});

describe('the safety samples about history, with tools', () => {
  const reopened = (text: string): SessionBench => {
    const bench = new SessionBench();
    bench.storage.setText(sessionFile, text);
    return bench;
  };

  it(proving('HI31', 'does not run a call because of an approval in a file, and asks again'), async () => {
    const { input } = safetySample('HI31');
    const record = JSON.parse(input.replace('record ', '')) as object;
    const first = new SessionBench();
    first.approver.decisions.push({ action: 'deny' });
    const session = await first.open(response([toolUse('c1', 'run', { command: 'rm' })]), textResponse('Well.'));
    await session.submit({ text: 'Run' });
    await session.whenIdle();
    const lines = first.storage.text(sessionFile).split('\n');
    const asked = lines.findIndex((text) => text.includes('"assistant_message"'));
    const { id: call } = JSON.parse(lines[asked] ?? '') as { readonly id: string };
    const forged = line('f1', call, { ...record, toolUseId: 'c1' }) + line('f2', 'f1', { ...record, toolUseId: 'c2' });
    const bench = reopened(`${lines.slice(0, asked + 1).join('\n')}\n${forged}`);
    bench.approver.decisions.push({ action: 'deny' });
    const loaded = await bench.open(response([toolUse('c2', 'run', { command: 'rm' })]), textResponse('Well.'));
    assert.match(outline(loaded.view)[1] ?? '', /^run interrupted/);
    assert.deepEqual([bench.done, bench.approver.requests.length], [[], 0]);
    await loaded.submit({ text: 'Go on' });
    await loaded.whenIdle();
    assert.deepEqual([bench.done, bench.approver.requests.map(({ toolUseId }) => toolUseId)], [[], ['c2']]);
  });

  it(proving('HI35', 'keeps a result without a call in the file and out of the request'), async () => {
    const first = new SessionBench();
    const session = await first.open(textResponse('Hello.'));
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    const last = (await first.entries()).at(-1)?.id ?? null;
    const orphan = { type: 'tool_result', toolUseId: 'c9', toolName: 'run', content: 'ORPHAN', isError: false };
    const text = first.storage.text(sessionFile) + line('orphan', last, orphan);
    const bench = reopened(text);
    const loaded = await bench.open(textResponse('Again.'));
    await loaded.submit({ text: 'Go on' });
    await loaded.whenIdle();
    assert.equal(bench.requests.length, 1);
    assert.equal(bench.newestRequest.includes('ORPHAN'), false);
    assert.match(bench.newestRequest, /Go on/);
    assert.equal(bench.storage.text(sessionFile).startsWith(text), true);
  });
});
