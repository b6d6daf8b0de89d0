import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentEvent } from '../../../src/sdk/events';
import { edited, makeEdits, type Running } from '../../support/edits/editsOfOneStep';

const three = ['a', 'b', 'c'].map((file) => ({ file }));

/** Does something once, directly before a call starts. The calls before it are written and wait for their checks. */
function beforeCall(id: string, act: (running: Running) => void | Promise<void>) {
  return (event: AgentEvent, running: Running): void | Promise<void> =>
    event.type === 'tool_execution_start' && event.toolUseId === id ? act(running) : undefined;
}

const writes = (log: readonly string[]): readonly string[] => log.filter((entry) => entry.startsWith('write'));

describe('Edits that are written and wait for their checks', () => {
  it('say after a stop of the run that they are written, and the next one is not', async () => {
    const { log, results, fileSystem } = await makeEdits(three, {
      onEvent: beforeCall('c2', ({ client }) => client.interrupt()),
    });
    assert.deepEqual(writes(log), ['write a', 'write b']);
    assert.equal(fileSystem.textOf('/w/c'), 'old\n');
    const why = 'interrupted: The user interrupted the run.';
    assert.deepEqual(
      results.map((result) => result.split('New problems')[0]?.trim()),
      [
        `c0 ${why}\nEdited a (+1 -1 lines).`,
        `c1 ${why}\nEdited b (+1 -1 lines).`,
        `c2 ${why} The call was not executed and nothing was changed.`,
      ],
    );
  });

  it('are stopped alone', async () => {
    const { log, results } = await makeEdits(three, {
      onEvent: beforeCall('c2', ({ client }) => void client.cancelTool('c0')),
    });
    assert.deepEqual(writes(log), ['write a', 'write b', 'write c']);
    assert.match(results[0] ?? '', /^c0 interrupted: The user stopped this tool call\.\nEdited a \(\+1 -1 lines\)\./);
    assert.deepEqual(results.slice(1), [edited(1, 'b'), edited(2, 'c')]);
  });

  it('do not keep a later one from being stopped before it is written', async () => {
    const { log, results } = await makeEdits(three, {
      onEvent: beforeCall('c0', ({ client }) => void client.cancelTool('c1')),
    });
    assert.deepEqual(writes(log), ['write a', 'write c']);
    assert.deepEqual(
      results.map((result) => result.split(':')[0]),
      ['c0 succeeded', 'c1 interrupted', 'c2 succeeded'],
    );
  });

  it('leave a change alone that someone makes after the writing', async () => {
    const { results, fileSystem } = await makeEdits(three, {
      onEvent: beforeCall('c1', (running) => running.fileSystem.write('/w/a', 'by hand\n')),
    });
    assert.equal(fileSystem.textOf('/w/a'), 'by hand\n');
    assert.deepEqual(results, [edited(0, 'a'), edited(1, 'b'), edited(2, 'c')]);
  });

  it('do not overwrite a file that someone changed while the ones before were written', async () => {
    const { results, fileSystem } = await makeEdits(three, {
      onEvent: beforeCall('c1', (running) => running.fileSystem.write('/w/b', 'by hand\n')),
    });
    assert.equal(fileSystem.textOf('/w/b'), 'by hand\n');
    assert.deepEqual(results, [
      edited(0, 'a'),
      'c1 failed: b was changed by someone else in the meantime. Nothing was written. Read it again and repeat the change.',
      edited(2, 'c'),
    ]);
  });

  it('keep their results when one cannot be written', async () => {
    const { results, fileSystem } = await makeEdits(three, { breaksWriting: ['b'] });
    assert.deepEqual(results, [edited(0, 'a'), 'c1 failed: The disk is full.', edited(2, 'c')]);
    assert.equal(fileSystem.textOf('/w/b'), 'old\n');
  });
});

/** How an edit of a generated step ends. */
type Fate = 'accepted' | 'rejected' | 'notFound' | 'broken';

describe('The edits of any step', () => {
  it('end in the order of the calls, each on disk before its result', async () => {
    const fate = fc.constantFrom<Fate>('accepted', 'rejected', 'notFound', 'broken');
    const step = fc.array(fc.record({ file: fc.constantFrom('a', 'b', 'c', 'd'), fate }), {
      minLength: 1,
      maxLength: 7,
    });
    await fc.assert(
      fc.asyncProperty(step, async (calls) => {
        // Each call edits its own line of its file. A file is broken or rejected as a whole.
        const fates = new Map<string, Fate>();
        for (const call of calls) fates.set(call.file, fates.get(call.file) ?? call.fate);
        const fateOf = (file: string): Fate => fates.get(file) ?? assert.fail();
        const texts = new Map<string, string>();
        const edits = calls.map(({ file }, index) => {
          const from = fateOf(file) === 'notFound' ? 'nowhere at all' : (texts.get(file) ?? 'old');
          const to = `text ${index}`;
          if (fateOf(file) === 'accepted') texts.set(file, to);
          return { file, from, to };
        });
        const outcomes = { accepted: 'succeeded', rejected: 'denied', notFound: 'failed', broken: 'failed' };
        const { results, fileSystem } = await makeEdits(edits, {
          decide: (file) => (fateOf(file) === 'rejected' ? { action: 'deny', reason: 'no' } : { action: 'allow' }),
          breaksWriting: [...fates].flatMap(([file, ending]) => (ending === 'broken' ? [file] : [])),
          onEvent(event, running) {
            if (event.type !== 'tool_execution_end' || event.outcome !== 'succeeded') return;
            const edit = edits[Number(event.toolUseId.slice(1))] ?? assert.fail();
            const written = running.fileSystem.textOf(`/w/${edit.file}`);
            const later = edits.filter(({ file }) => file === edit.file).map(({ to }) => `${to}\n`);
            assert.ok(later.slice(later.indexOf(`${edit.to}\n`)).includes(written ?? ''), written);
          },
        });
        assert.deepEqual(
          results.map((result) => result.split(':')[0]),
          calls.map(({ file }, index) => `c${index} ${outcomes[fateOf(file)]}`),
        );
        for (const file of fates.keys()) {
          assert.equal(fileSystem.textOf(`/w/${file}`), `${texts.get(file) ?? 'old'}\n`);
        }
      }),
      { numRuns: 40 },
    );
  });
});
