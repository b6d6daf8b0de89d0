import assert from 'node:assert/strict';
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LeakCase, LeakWindow } from '../leakCase';
import type { LeakWorld } from '../world';
import { edit, read, type Seed } from './seed';

const NOTES = 'src/notes.txt';

/** The file that the agent changes, before going back. */
async function arrange({ workspace }: LeakWorld): Promise<void> {
  await writeFile(path.join(workspace, NOTES), 'mine\n');
}

/** Swaps the file for something else, and goes back. Each `swap` would lead the restored text to another file. */
function goingBack(
  name: string,
  swap: (world: LeakWorld) => Promise<void>,
  { isLate = false, offered = [] }: { readonly isLate?: boolean; readonly offered?: readonly string[] } = {},
): Seed {
  const afterwards = async ({ world, session, goBack, submit, note }: LeakWindow): Promise<void> => {
    assert.equal(await readFile(path.join(world.workspace, NOTES), 'utf8'), 'changed\n');
    const swapNow = async (): Promise<void> => {
      await swap(world);
      await world.accept();
    };
    if (!isLate) await swapNow();
    const said = await goBack(session, isLate ? swapNow : undefined);
    note(said.join('\n'));
    if (!isLate) assert.deepEqual(said, offered);
    await submit(session, 'Please go on.');
  };
  return {
    name,
    isSameInBothWorlds: true,
    given: (): LeakCase => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: [edit(NOTES, 'mine', 'changed')],
      arrange,
      afterwards,
    }),
  };
}

const inWorkspace =
  (swap: (file: string, workspace: string) => Promise<void>) =>
  ({ workspace }: LeakWorld): Promise<void> =>
    swap(path.join(workspace, NOTES), workspace);

const toOutside = inWorkspace(async (file, workspace) => {
  await rename(path.dirname(file), path.join(workspace, 'old-src'));
  await symlink('../outside', path.dirname(file));
});
const linkTo = (target: string) =>
  inWorkspace(async (file) => {
    await rm(file);
    await symlink(target, file);
  });
const hardLinkToEnv = inWorkspace(async (file, workspace) => {
  await rm(file);
  await link(path.join(workspace, '.env'), file);
});
const folderOfGit = inWorkspace(async (file, workspace) => {
  await writeFile(path.join(workspace, '.git/notes.txt'), 'git\n');
  await rename(path.dirname(file), path.join(workspace, 'old-src'));
  await symlink('.git', path.dirname(file));
});

/** What the path of the changed file becomes. */
const SWAPS: Readonly<Record<string, (world: LeakWorld) => Promise<void>>> = {
  'a folder becomes a link outside': toOutside,
  'a folder becomes a link to .git': folderOfGit,
  'the file becomes a link outside': linkTo('../../outside/notes.txt'),
  'the file becomes a link to .env': linkTo('../.env'),
  "the file becomes a link to git's configuration": linkTo('../.git/config'),
  'the file becomes a link to a new git hook': linkTo('../.git/hooks/pre-push'),
  'the file becomes a link to another file': linkTo('../a.txt'),
};

/** Going back to before a prompt. Only the file that the agent changed may change. */
export const goingBackSeeds: readonly Seed[] = [
  ...Object.entries(SWAPS).flatMap(([name, swap]) => [
    goingBack(`going back: ${name}, before the question`, swap),
    goingBack(`going back: ${name}, while the question is open`, swap, { isLate: true }),
  ]),
  goingBack('going back: the file becomes a hard link to .env, while the question is open', hardLinkToEnv, {
    isLate: true,
  }),
  // The link is replaced by the earlier text, and the other file stays.
  {
    ...goingBack('going back: the file becomes a hard link to .env, before the question', hardLinkToEnv, {
      offered: [NOTES],
    }),
    allowed: { changes: [`changed ws/${NOTES}`] },
  },
];

/** A session file that somebody else wrote. */
function imported(name: string, more: (world: Pick<LeakWorld, 'top' | 'workspace'>) => readonly object[]): Seed {
  const afterwards = async ({ world, registry, goBack, submit, note }: LeakWindow): Promise<void> => {
    const entries = [
      { type: 'system_message', systemPrompt: '', workspace: null, model: '', baseUrl: '' },
      {
        type: 'user_message',
        text: 'Read @.env and @../outside/notes.txt',
        contextLabels: ['.env'],
        content: 'Read @.env',
        origin: 'prompt',
        mode: 'acceptEdits',
      },
      ...more(world),
    ];
    const text = entries.map((entry, seq) =>
      JSON.stringify({ v: 1, id: `e${seq}`, parentId: seq === 0 ? null : `e${seq - 1}`, seq, ts: 1, ...entry }),
    );
    const id = await registry.import(new TextEncoder().encode(`${text.join('\n')}\n`));
    const session = await registry.open(id);
    await session.whenIdle();
    const said = await goBack(session);
    assert.deepEqual(said, []);
    await submit(session, 'Please go on.');
    note(await registry.export(id, 'jsonl'));
    note(await registry.export(id, 'markdown'));
    note(JSON.stringify(await registry.list('TOKEN')));
  };
  return {
    name,
    given: (): LeakCase => ({ way: 'window', mode: 'acceptEdits', calls: [read('a.txt')], afterwards }),
  };
}

const call = (name: string, input: object): readonly object[] => [
  {
    type: 'assistant_message',
    content: [{ type: 'tool_use', id: 'c1', name, input }],
    stopReason: 'tool_use',
    responseId: 'r',
    model: 'm',
  },
  { type: 'tool_call', toolUseId: 'c1', toolName: name, input },
];
const state = (hash: string) => ({ hash, size: 5, isExecutable: false });

/** Importing a session brings words only. */
export const importSeeds: readonly Seed[] = [
  imported('an imported session with a call that never ended', () => [
    ...call('run_terminal_command', { command: 'evil' }),
    { type: 'status_update', status: 'RUNNING' },
  ]),
  imported('an imported session with a call that was allowed', () => [
    ...call('read_file', { path: '.env' }),
    {
      type: 'tool_result',
      toolUseId: 'c1',
      toolName: 'read_file',
      content: 'yes',
      isError: false,
      outcome: 'succeeded',
      display: { kind: 'read', path: '.env' },
      approval: { outcome: 'allowed' },
    },
    { type: 'status_update', status: 'IDLE' },
  ]),
  imported('an imported session with earlier contents of files', ({ top, workspace }) => [
    ...[path.join(workspace, '.env'), path.join(top, 'outside/notes.txt'), path.join(workspace, 'a.txt')].map(
      (file) => ({
        type: 'checkpoint',
        cause: 'edit',
        label: file,
        changes: [{ path: file, before: null, after: state('0'.repeat(64)) }],
      }),
    ),
    { type: 'status_update', status: 'FINISHED' },
  ]),
  imported('an imported session with names of files as ids', () => [
    {
      type: 'assistant_message',
      content: [{ type: 'text', text: '@.env' }],
      stopReason: 'stop',
      responseId: '../../ws/.env',
      model: '../.env',
      id: '../../../ws/.env',
    },
    { type: 'title', title: '../../.env' },
  ]),
];

/** The folder of the sessions becomes a link, after the session was begun. */
export const swappedSessions: Seed = {
  name: 'the folder of the sessions that becomes a link',
  given: () => ({
    way: 'window',
    mode: 'acceptEdits',
    calls: [read('a.txt')],
    async afterwards({ world, registry, note }) {
      const sessions = path.join(world.top, 'storage/sessions');
      await mkdir(path.dirname(sessions), { recursive: true });
      await symlink(path.join(world.top, 'outside/notes.txt'), path.join(sessions, 'evil.jsonl'));
      note(JSON.stringify(await registry.list()));
      await registry.open('evil').then(
        (session) => note(JSON.stringify(session.entries)),
        (error: unknown) => note(String(error)),
      );
    },
  }),
};
