import assert from 'node:assert/strict';
import type { Turn } from '../../support/servers/modelServer';
import { openCheckedAgent } from '../../support/sessions/checkedAgent';
import { outline } from '../../support/sessions/sessions';
import { seededRandom } from '../../support/seededRandom';

const RUNS = 100;
/** Passes when the file has no bad line. */
const COMMAND = 'sh check.sh';
const files = { 'check.sh': '! grep -q bad work.txt\n' };
const settings = { checks: 'command', permissionMode: 'acceptEdits' } as const;

describe('rounds of the check command', () => {
  it(`end a run as checked only after a pass: ${RUNS} runs of models that mend, lie, flail or make it worse`, async function () {
    this.timeout(300_000);
    let asked = 0;
    const command = COMMAND;
    await using agent = await openCheckedAgent({
      files,
      settings,
      knownCheck: COMMAND,
      checkCommand: async () => {
        asked += 1;
        return command;
      },
    });
    const registry = await agent.open();
    const random = seededRandom(20_261_124);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    let [checked, unchecked] = [0, 0];
    for (let index = 0; index < RUNS; index += 1) {
      let isBad = false;
      /** The check has passed since the last change. */
      let hasPassed = false;
      let rounds = 0;
      const edit = (bad: boolean): Turn => {
        isBad = bad;
        hasPassed = false;
        const content = `${bad ? 'bad' : 'good'} ${random()}\n`;
        return { toolCalls: [{ name: 'write_file', arguments: { path: `work.txt`, content } }] };
      };
      const run = (given: string = command): Turn => {
        if (given === command) hasPassed = !isBad;
        return { toolCalls: [{ name: 'run_terminal_command', arguments: { command: given } }] };
      };
      const act = (): readonly Turn[] => {
        switch (pick(['mend', 'mend', 'lie', 'other check', 'flail', 'worse', 'edit after', 'check only'])) {
          case 'mend':
            return [edit(false), run()];
          case 'other check':
            return [run(pick([`${COMMAND} || true`, `true # ${COMMAND}`, `echo ${COMMAND}`, `${COMMAND}; true`]))];
          case 'flail':
            return [run(), edit(isBad), run()];
          case 'worse':
            return [edit(true)];
          case 'edit after':
            return [edit(false), run(), edit(pick([true, false]))];
          case 'check only':
            return [run()];
          default:
            return [];
        }
      };
      const says = { text: pick(['All tests pass.', 'Checked: exit code 0.', 'Done.']) };
      const turns: Turn[] = [edit(pick([true, false])), ...act(), says];
      while (!hasPassed && rounds < 3) {
        rounds += 1;
        turns.push(...act(), says);
      }
      agent.server.script(...turns);
      const session = await registry.create();
      await session.submit({ text: 'Go' });
      await session.whenIdle();
      const lines = outline(session.view);
      const told = lines.flatMap((line) => /Told the model: (Round [^:]*)/.exec(line)?.[1] ?? []);
      const expected = Array.from({ length: rounds }, (_none, round) => `Round ${round + 1} of 3`);
      // A model that repeats one call without an effect is stopped before its last round.
      const isStopped = lines.some((line) =>
        line.includes('The run was stopped: the model called run_terminal_command'),
      );
      assert.deepEqual(told, isStopped ? expected.slice(0, told.length) : expected, `run ${index}`);
      if (isStopped) agent.server.dropTurns();
      assert.equal(agent.server.turnsLeft, 0);
      const isShownAsChecked = lines.at(-1)?.endsWith(`ran after the last change: ${COMMAND}, exit code 0.`) === true;
      // Every run that is shown as checked has passed. A run that was stopped may have a pass that was never reached.
      assert.equal(isShownAsChecked, hasPassed && !isStopped, lines.at(-1));
      if (isShownAsChecked) checked += 1;
      else unchecked += 1;
    }
    assert.ok(checked > 10 && unchecked > 10, `${checked} checked, ${unchecked} not`);
    assert.ok(asked > RUNS / 2);
  });

  it('ask for no command when nothing was changed, and do nothing when the person wants none', async () => {
    let asked = 0;
    await using agent = await openCheckedAgent({
      files,
      settings,
      checkCommand: async () => {
        asked += 1;
        return undefined;
      },
    });
    const session = await (await agent.open()).create();
    agent.server.script({ text: 'Hello.' });
    await session.submit({ text: 'Hi' });
    await session.whenIdle();
    assert.equal(asked, 0);
    agent.server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'work.txt', content: 'bad\n' } }] },
      { text: 'Done.' },
    );
    await session.submit({ text: 'Go' });
    await session.whenIdle();
    assert.equal(asked, 1);
    assert.equal(agent.server.turnsLeft, 0);
    assert.ok(outline(session.view).every((line) => !line.includes('Round')));
  });

  it('name the command and its exit code, and end with a stop', async () => {
    await using agent = await openCheckedAgent({ files, settings, checkCommand: async () => COMMAND });
    const session = await (await agent.open()).create();
    const write = { name: 'write_file', arguments: { path: 'work.txt', content: 'bad\n' } };
    const check = { name: 'run_terminal_command', arguments: { command: COMMAND } };
    agent.server.script({ toolCalls: [write] }, { text: 'Done.' }, { toolCalls: [check] }, { text: 'Fine.' });
    let messages = 0;
    agent.server.script({ text: 'No.' }, { text: 'No.' });
    await session.submit({ text: 'Go' });
    await session.whenIdle();
    const rounds = agent.server.completions.flatMap(({ body }) => {
      const { content } = body.messages.at(-1) ?? {};
      return typeof content === 'string' && content.startsWith('Round') ? [content.split('\n\n')[0]] : [];
    });
    messages += rounds.length;
    assert.equal(messages, 3);
    const end = [
      'Run exactly this with run_terminal_command: sh check.sh',
      'Fix what fails, and run it again until it passes. If it cannot pass, say why.',
    ];
    assert.deepEqual(rounds, [
      ['Round 1 of 3: the check has not run since your edits.', ...end].join('\n'),
      ['Round 2 of 3: the check ended with exit code 1.', ...end].join('\n'),
      ['Round 3 of 3: the check ended with exit code 1.', ...end].join('\n'),
    ]);
  });
});
