import assert from 'node:assert/strict';
import { summariseRun } from '../../../../src/agent/runSummary/summariseRun';
import type { SessionEntry } from '../../../../src/sdk/session/entries';
import type { JsonObject } from '../../../../src/util/json';

type Body = SessionEntry extends infer E ? (E extends SessionEntry ? Partial<E> & Pick<E, 'type'> : never) : never;

const entries = (...bodies: readonly Body[]): readonly SessionEntry[] =>
  bodies.map(
    (body, index) => ({ v: 1, id: `e${index}`, parentId: null, seq: index, ts: index, ...body }) as SessionEntry,
  );
const prompt: Body = { type: 'user_message', id: 'p', text: 'Go', content: 'Go', contextLabels: [], origin: 'prompt' };
const state = (hash: string | null) => (hash === null ? null : { hash, size: 1, isExecutable: false });
const checkpoint = (toolUseId: string, path: string, before: string | null, after: string | null): Body => ({
  type: 'checkpoint',
  cause: toolUseId.startsWith('run') ? 'command' : 'edit',
  label: path.replace('/w/', ''),
  toolUseId,
  changes: [{ path, before: state(before), after: state(after) }],
});
const result = (toolUseId: string, display: JsonObject, isAsked = true): Body => ({
  type: 'tool_result',
  toolUseId,
  content: '',
  isError: false,
  outcome: 'succeeded',
  display,
  ...(isAsked && { approval: { outcome: 'allowed' } }),
});
const edit = (id: string, path: string, from: string, to: string, isAsked = true): readonly Body[] => [
  { type: 'tool_call', toolUseId: id, toolName: 'apply_edit', input: { path } },
  checkpoint(id, path, from, to),
  result(id, { applied: true, addedLines: 2, removedLines: 1 }, isAsked),
];
const run = (id: string, command: string, display: JsonObject, ...changes: readonly Body[]): readonly Body[] => [
  { type: 'tool_call', toolUseId: id, toolName: 'run_terminal_command', input: { command } },
  ...changes,
  result(id, display),
];
const passed = { ended: 'exited', exitCode: 0 };

describe('the summary of a run', () => {
  const summary = (...bodies: readonly (readonly Body[])[]) =>
    summariseRun(entries(prompt, ...bodies.flat()), async (command) =>
      command.startsWith('npm test') ? { kinds: ['tests'], isExitUnsure: command.includes('|') } : undefined,
    );
  const message = async (...bodies: readonly (readonly Body[])[]) => (await summary(...bodies))?.message;

  it('names the files with their lines, the commands and the last check', async () => {
    assert.deepEqual(
      await summary(
        edit('1', '/w/src/a.ts', 'a', 'b'),
        edit('2', '/w/src/b.ts', 'c', 'd', false),
        edit('1', '/w/src/a.ts', 'b', 'e'),
        run('run1', 'npm test', passed),
        run('run2', 'git status', passed),
      ),
      {
        message:
          'Changed 2 files: +6 −3, ran 2 commands.\nsrc/a.ts +4 −2\nsrc/b.ts +2 −1, without asking\n' +
          'Tests ran after the last change: npm test, exit code 0.',
        promptId: 'p',
        forModel: undefined,
      },
    );
  });

  it('says that the check is older than the last edit or change', async () => {
    const test = run('run1', 'npm test', { ended: 'exited', exitCode: 1 });
    assert.equal(
      await message(test, edit('1', '/w/a.ts', 'a', 'b', false)),
      'Changed one file without asking, ran one command.\na.ts +2 −1\nTests ran before the last edit: npm test, exit code 1.',
    );
    const generate = run('run2', 'make gen', passed, checkpoint('run2', '/w/gen/x.ts', null, 'x'));
    assert.equal(
      await message(edit('1', '/w/a.ts', 'a', 'b'), test, generate),
      'Changed 2 files: +2 −1, ran 2 commands.\na.ts +2 −1\nx.ts, by a command\nTests ran before the last change: npm test, exit code 1.',
    );
  });

  it('counts no change that the check made itself, and none that was undone', async () => {
    const test = run('run1', 'npm test', passed, checkpoint('run1', '/w/out.txt', null, 'x'));
    const undone = [...edit('1', '/w/a.ts', 'a', 'b'), ...edit('2', '/w/a.ts', 'b', 'a')];
    assert.equal(
      await message(test, undone),
      'Changed one file, ran one command.\nout.txt, by a command\nTests ran after the last change: npm test, exit code 0.',
    );
  });

  it('claims no exit code that it does not know', async () => {
    const changed = edit('1', '/w/a.ts', 'a', 'b');
    const last = async (...bodies: readonly (readonly Body[])[]) =>
      (await message(changed, ...bodies))?.split('\n').at(-1);
    assert.equal(await last(), 'No check ran.');
    assert.equal(
      await last(run('run1', 'npm test | tail', passed)),
      'Tests ran after the last change: npm test | tail, exit code 0 of the whole command line.',
    );
    assert.equal(
      await last(run('run1', 'npm test', { ended: 'timed_out', exitCode: null })),
      'Tests ran after the last change: npm test, stopped before its end.',
    );
    assert.equal(await last(run('run1', 'npm test', { background: 'output:1' })), 'No check ran.');
  });

  it('shows hidden characters, cuts long commands and lists a few files', async () => {
    const files = Array.from({ length: 8 }, (_none, index) =>
      edit(`${index}`, `/w/${index}\u202E.ts`, 'a', 'b'),
    ).flat();
    const text = await message(files, run('run1', `npm test ${'x'.repeat(100)}\nrm -rf ~`, passed));
    assert.match(
      text ?? '',
      /\n5<U\+202E>\.ts \+2 −1\nand 2 more\nTests ran after the last change: npm test x{51}…, exit/,
    );
    assert.doesNotMatch(text ?? '', /rm -rf/);
  });

  it('tells the model that its last check failed or is older than the last change, and nothing else', async () => {
    const told = async (...bodies: readonly (readonly Body[])[]) => (await summary(...bodies))?.forModel;
    const change = edit('1', '/w/a.ts', 'a', 'b');
    const test = run('run1', 'npm test', passed);
    const after = 'If something is left to do, do it now. If not, say what was not checked.';
    assert.equal(await told(test, change), `Tests ran before the last edit: npm test, exit code 0. ${after}`);
    assert.equal(
      await told(change, run('run1', 'npm test', { ended: 'exited', exitCode: 2 })),
      `Tests ran after the last change: npm test, exit code 2. ${after}`,
    );
    assert.equal(await told(change, test), undefined);
    assert.equal(await told(change), undefined);
    assert.equal(await told(change, run('run1', 'ls', { ended: 'exited', exitCode: 1 })), undefined);
    assert.equal(await told(run('run1', 'npm test', { ended: 'exited', exitCode: 1 })), undefined);
  });

  it('knows the check of an earlier run', async () => {
    const again: Body = { ...prompt, id: 'p2' };
    const earlier = [...edit('1', '/w/a.ts', 'a', 'b'), ...run('run1', 'npm test', passed)];
    const later = await summary(earlier, [again], edit('2', '/w/a.ts', 'b', 'c'));
    assert.equal(
      later?.message,
      'Changed one file.\na.ts +2 −1\nTests ran before the last edit: npm test, exit code 0.',
    );
    assert.match(later.forModel ?? '', /^Tests ran before the last edit/);
  });

  it('is absent where no file differs', async () => {
    assert.equal(await summary(run('run1', 'npm test', passed)), undefined);
    assert.equal(await summariseRun([], async () => undefined), undefined);
  });
});
