import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Diagnostics, Problem } from '../../../src/workspace/ports';
import type { Turn } from '../../support/servers/modelServer';
import { openCheckedAgent } from '../../support/sessions/checkedAgent';
import { outline } from '../../support/sessions/sessions';
import { seededRandom } from '../../support/seededRandom';

/** Every line with `bad` is an error. Knows a file from its first read or edit on. */
function linter(folder: () => string): Diagnostics {
  const known = new Map<string, readonly Problem[]>();
  const check = async (file: string): Promise<readonly Problem[]> => {
    const text = await readFile(file, 'utf8').catch(() => '');
    const problems = text
      .split('\n')
      .flatMap((line, index): readonly Problem[] =>
        line.includes('bad') ? [{ line: index + 1, severity: 'error', message: `"${line}" is bad.` }] : [],
      );
    known.set(file, problems);
    return problems;
  };
  return {
    known: () => known,
    load: async (file) => void (await check(file)),
    read: check,
    watch: async (file) => {
      assert.ok(file.startsWith(folder()));
      return { before: await check(file), after: () => check(file), dispose: () => {} };
    },
  };
}

const RUNS = 100;
const ROUND = /^Round (\d) of 3: /;

describe('rounds of repair', () => {
  it(`are three at most, only for new errors, and counted: ${RUNS} runs of models that mend, lie, flail or make it worse`, async function () {
    this.timeout(300_000);
    let folder = '';
    await using agent = await openCheckedAgent({
      files: { 'a.txt': 'old bad\n' },
      settings: { checks: 'problems', permissionMode: 'acceptEdits' },
      diagnostics: linter(() => folder),
    });
    folder = agent.folder.path;
    const registry = await agent.open();
    const random = seededRandom(20_261_123);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    let mended = 0;
    let left = 0;
    for (let index = 0; index < RUNS; index += 1) {
      const file = `${index}.txt`;
      let errors = 0;
      let rounds = 0;
      const says = { text: pick(['All is fine.', 'Checked: no errors.', 'Done.']) };
      const write = (count: number) => {
        errors = count;
        // Otherwise no two lines have one message.
        const content = `good ${random()}\n${Array.from({ length: count }, (_none, line) => `bad ${line}\n`).join('')}`;
        return { toolCalls: [{ name: 'write_file', arguments: { path: file, content } }] };
      };
      const turns: Turn[] = [write(pick([0, 1, 2, 5])), says];
      while (errors > 0 && rounds < 3) {
        rounds += 1;
        const does = pick(['mends', 'mends', 'lies', 'flails', 'makes it worse']);
        if (does === 'mends') turns.push(write(0));
        if (does === 'flails') turns.push(write(errors), write(errors));
        if (does === 'makes it worse') turns.push(write(errors + 3));
        turns.push(says);
      }
      if (errors > 0) left += 1;
      else if (rounds > 0) mended += 1;
      agent.server.script(...turns);
      const session = await registry.create();
      await session.submit({ text: 'Go' });
      await session.whenIdle();
      const told = outline(session.view).flatMap((line) => /Told the model: (Round [^:]*)/.exec(line)?.[1] ?? []);
      assert.deepEqual(
        told,
        Array.from({ length: rounds }, (_none, round) => `Round ${round + 1} of 3`),
        file,
      );
      assert.equal(agent.server.turnsLeft, 0);
      // Nothing claims that the run was checked.
      assert.match(
        outline(session.view).at(-1) ?? '',
        /No check ran\.(\nErrors grew from \d+ to \d+ since round [1-3] of the repair began\.)?$/,
      );
    }
    assert.ok(mended > 10 && left > 10, `${mended} mended, ${left} left`);
    const asked = agent.server.completions.flatMap(({ body }) => {
      const { content } = body.messages.at(-1) ?? {};
      return typeof content === 'string' && ROUND.test(content) ? [content] : [];
    });
    assert.ok(asked.every((text) => !text.includes('old bad')));
    assert.ok(asked.some((text) => text.includes(' Before this round: ')));
  });

  it('are not there unless the person wants them', async () => {
    let folder = '';
    await using agent = await openCheckedAgent({
      files: {},
      settings: { permissionMode: 'acceptEdits' },
      diagnostics: linter(() => folder),
    });
    folder = agent.folder.path;
    const session = await (await agent.open()).create();
    agent.server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'bad\n' } }] },
      { text: 'Done.' },
    );
    await session.submit({ text: 'Go' });
    await session.whenIdle();
    assert.equal(agent.server.turnsLeft, 0);
    assert.ok(outline(session.view).every((line) => !line.includes('Round')));
  });
});
