import assert from 'node:assert/strict';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createRestoreFlow,
  type RestorableSession,
  type RestoreDialog,
} from '../../../../src/agent/restore/restoreFlow';
import type { SessionEntry } from '../../../../src/sdk/session/entries';
import { emptyView } from '../../../../src/agent/view/fold/foldSession';
import type { SessionView } from '../../../../src/agent/view/sessionView';
import type { Checkpoint } from '../../../../src/workspace/checkpoints/fileChange';
import { keep } from '../../../../src/workspace/checkpoints/fileState';
import { createBlobFolder } from '../../../../src/workspace/node/checkpoints/blobFolder';
import { createFileContents } from '../../../../src/workspace/node/checkpoints/fileContents';
import { createNodeFileSystem } from '../../../../src/workspace/node/files/nodeFileSystem';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

describe('the flow of going back', () => {
  let folder: TemporaryFolder;
  let file: string;
  /** What the dialog and the session saw, in order. */
  let log: string[];
  let view: SessionView;
  let change: Checkpoint;
  let entries: readonly SessionEntry[];
  let answers: Pick<RestoreDialog, 'chooseWhat' | 'chooseFiles'>;
  const blobs = () => createBlobFolder(path.join(folder.path, 'blobs'));
  const contents = createFileContents(createNodeFileSystem());

  beforeEach(async () => {
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    file = path.join(folder.path, 'a.txt');
    log = [];
    entries = [];
    view = {
      ...emptyView('s'),
      items: [{ kind: 'prompt', id: 'p', text: 'Change it\nplease', contextLabels: [], isSteering: false }],
    };
    const before = await keep(await contents.read(file), blobs());
    await writeFile(file, 'two\n');
    const after = await keep(await contents.read(file), blobs());
    change = { cause: 'edit', label: 'a.txt', changes: [{ path: file, before, after }] };
    answers = { chooseWhat: async () => 'both', chooseFiles: async (_label, choices) => choices };
  });

  afterEach(() => folder.dispose());

  function flow() {
    return createRestoreFlow({
      checkpoints: { blobs: blobs(), contents },
      fileSystem: createNodeFileSystem(),
      roots: () => [{ name: 'w', path: folder.path }],
      removeEmptyFolders: async () => {},
      dialog: {
        chooseWhat: (label, choices) => {
          log.push(`what? ${label}`);
          return answers.chooseWhat(label, choices);
        },
        chooseFiles: (label, choices) => {
          log.push(`files? ${label}: ${choices.map(({ place }) => place.displayPath).join()}`);
          return answers.chooseFiles(label, choices);
        },
        announceUndo: (choices) => void log.push(`undo of ${choices.length}`),
        showProgress: (work) => work(),
        warn: (message) => void log.push(message),
      },
    });
  }

  function session(): RestorableSession {
    return {
      get view() {
        return view;
      },
      entries,
      checkpointsSince: (since) => {
        if (since !== 'p') log.push(`since ${since}`);
        return [change];
      },
      recordCheckpoint: async ({ label }) => void log.push(`recorded: ${label}`),
      restoreOf: (id) => (id === 'e' ? { checkpoints: [change], cameFrom: 'm' } : undefined),
      goTo: (place) => {
        log.push(`to ${JSON.stringify(place)}`);
        return 'left';
      },
    };
  }

  const text = (): Promise<string> => readFile(file, 'utf8');

  it('asks, takes the files back, then the conversation, and returns the prompt', async () => {
    assert.equal(await flow().restoreTo(session(), 'p'), 'Change it\nplease');
    assert.deepEqual(log, [
      'what? before “Change it”',
      'files? before “Change it”: a.txt',
      'recorded: before “Change it”',
      'to {"before":"p"}',
    ]);
    assert.equal(await text(), 'one\n');
  });

  it('asks before a prompt is sent again only if files were changed', async () => {
    assert.equal(await flow().goBack(session(), 'p'), true);
    assert.equal(log[0], 'what? before “Change it”');
    assert.equal(await text(), 'one\n');
    answers = { ...answers, chooseWhat: async () => undefined };
    await writeFile(file, 'two\n');
    assert.equal(await flow().goBack(session(), 'p'), false);
    log.length = 0;
    const unchanged = { ...session(), view, checkpointsSince: () => [] };
    assert.equal(await flow().goBack(unchanged, 'p'), true);
    assert.deepEqual(log, ['to {"before":"p"}']);
    assert.equal(await flow().goBack(unchanged, 'nobody'), false);
    view = { ...view, state: 'running' };
    assert.equal(await flow().goBack({ ...unchanged, view }, 'p'), false);
  });

  it('undoes the newest run without a question, unless files were changed since', async () => {
    assert.deepEqual(
      (await flow().changesSince(session(), 'p')).map(({ place, action }) => [place.displayPath, action]),
      [['a.txt', 'write']],
    );
    assert.equal(await flow().undoRun(session(), 'p'), true);
    assert.deepEqual(log, ['recorded: before “Change it”']);
    assert.equal(await text(), 'one\n');
    await writeFile(file, 'mine\n');
    answers = { ...answers, chooseFiles: async () => undefined };
    assert.equal(await flow().undoRun(session(), 'p'), false);
    assert.equal(log.at(-1), 'files? before “Change it”: a.txt');
    assert.equal(await text(), 'mine\n');
  });

  it('undoes a repair back to the round that its summary names, and nothing else by its name', async () => {
    const summary = { id: 's1', ts: 1, type: 'run_summary', promptId: 'p', message: 'Changed.' } as const;
    entries = [summary as SessionEntry];
    assert.equal(await flow().undoRepair(session(), 's1'), false);
    assert.equal(await flow().undoRepair(session(), 'p'), false);
    entries = [{ ...summary, beforeRound: 'h' } as SessionEntry];
    assert.equal(await flow().undoRepair(session(), 's1'), true);
    assert.deepEqual(log, ['since h', 'recorded: before the repair']);
    assert.equal(await text(), 'one\n');
  });

  it('undoes no earlier run, and none while the agent works', async () => {
    const later = { kind: 'prompt', id: 'q', text: 'Next', contextLabels: [], isSteering: false } as const;
    view = { ...view, items: [...view.items, later] };
    assert.equal(await flow().undoRun(session(), 'p'), false);
    view = { ...view, items: view.items.slice(0, 1), state: 'running' };
    assert.equal(await flow().undoRun(session(), 'p'), false);
    assert.equal(await text(), 'two\n');
  });

  it('touches nothing when the person chooses nothing', async () => {
    answers = { ...answers, chooseFiles: async () => undefined };
    assert.equal(await flow().restoreTo(session(), 'p'), undefined);
    answers = { ...answers, chooseWhat: async () => undefined };
    assert.equal(await flow().restoreTo(session(), 'p'), undefined);
    assert.equal(await text(), 'two\n');
    assert.ok(log.every((line) => line.includes('?')));
  });

  it('refuses while the agent works, even when it starts during a question', async () => {
    answers = {
      ...answers,
      chooseFiles: async (_label, choices) => {
        view = { ...view, state: 'running' };
        return choices;
      },
    };
    await flow().restoreTo(session(), 'p');
    await flow().undo(session(), 'e');
    const busy = 'The agent is working in this session. Stop it first.';
    assert.deepEqual(log.slice(2), [busy, busy]);
    assert.equal(await text(), 'two\n');
  });

  it('undoes without a question, unless a file was changed since', async () => {
    await flow().undo(session(), 'e');
    assert.equal(await text(), 'one\n');
    assert.deepEqual(log, ['undo of 1', 'recorded: before they were restored', 'to {"after":"m"}']);
    log = [];
    await writeFile(file, 'mine\n');
    await flow().undo(session(), 'e');
    assert.equal(log[1], 'files? before they were restored: a.txt');
  });

  it('touches no file below a folder that was replaced by a link during the question', async () => {
    const inner = path.join(folder.path, 'inner');
    const outside = await createTemporaryFolder({ 'a.txt': 'two\n' });
    file = path.join(inner, 'a.txt');
    await mkdir(inner);
    await writeFile(file, 'two\n');
    const [saved] = change.changes;
    assert.ok(saved);
    change = { ...change, changes: [{ ...saved, path: file }] };
    answers = {
      ...answers,
      chooseFiles: async (_label, choices) => {
        await rename(inner, `${inner}-before`);
        await symlink(outside.path, inner);
        return choices;
      },
    };
    try {
      await flow().restoreTo(session(), 'p');
      assert.equal(await readFile(path.join(outside.path, 'a.txt'), 'utf8'), 'two\n');
      assert.ok(!log.some((line) => line.startsWith('recorded')));
      assert.match(log.join('\n'), /Not restored: inner\/a\.txt: /);
    } finally {
      await outside.dispose();
    }
  });

  it('names the files that could not be taken back', async () => {
    answers = {
      ...answers,
      chooseFiles: async (_label, choices) => {
        await writeFile(file, 'three\n');
        return choices;
      },
    };
    await flow().restoreTo(session(), 'p');
    assert.ok(log.includes('Not restored: a.txt: It was changed in the meantime.'), log.join('\n'));
    assert.equal(await text(), 'three\n');
  });

  it('shows the hidden characters in the name of a file that could not be taken back', async () => {
    const name = 'a\u202Etxt.b';
    const [saved] = change.changes;
    assert.ok(saved);
    file = path.join(folder.path, name);
    await writeFile(file, 'two\n');
    change = { ...change, changes: [{ ...saved, path: file }] };
    answers = {
      ...answers,
      chooseFiles: async (_label, choices) => {
        await writeFile(file, 'three\n');
        return choices;
      },
    };
    await flow().restoreTo(session(), 'p');
    assert.ok(log.includes('Not restored: a<U+202E>txt.b: It was changed in the meantime.'), log.join('\n'));
  });
});
