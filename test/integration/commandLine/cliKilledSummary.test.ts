import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import type { Gate } from '../../support/servers/gate';
import { createGate } from '../../support/servers/modelServer';

/** No two parts are alike: repeated text counts as a loop of the model. */
const long = (points: number): string =>
  Array.from({ length: points }, (_, index) => `Point ${index} says ${index * 7}.`).join(' ');

describe('a command line that is killed while it summarises', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n' } });
  const run = (prompt: string) => [...cli.flags, '-p', prompt, '--autoresume'];
  const asked = (number: number): readonly unknown[] =>
    cli.server.completions[number - 1]?.body.messages.slice(1).map(({ content }) => content) ?? [];
  const first = `One? ${long(100)}`;
  const second = `Two? ${long(150)}`;
  const stopped = 'I was stopped before I could answer.';

  beforeEach(async () => {
    const settings = path.join(cli.home, '.open-agent', 'settings.json');
    await mkdir(path.dirname(settings), { recursive: true });
    await writeFile(settings, JSON.stringify({ contextWindow: 6_000, maxTokens: 400 }));
    cli.server.script({ text: long(650) });
    assert.equal((await cli.run(run(first))).code, 0);
  });

  /** Kills the second prompt when the model's answer is at the gate. */
  async function killAt(gate: Gate): Promise<void> {
    const { child, ended } = cli.start(run(second));
    child.stdin.end();
    await gate.reached;
    child.kill('SIGKILL');
    await ended;
    gate.open();
  }

  async function entryTypes(): Promise<readonly unknown[]> {
    const sessions = path.join(cli.home, '.open-agent', 'sessions');
    const [name = ''] = (await readdir(sessions)).filter((file) => file.endsWith('.jsonl'));
    const lines = (await readFile(path.join(sessions, name), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { readonly type: unknown }).type);
  }

  it('goes on from the whole conversation when the summary was not complete', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Summ', gate, 'ary.'] }, { text: 'Summary again.' }, { text: 'Third.' });
    await killAt(gate);
    assert.equal((await entryTypes()).includes('compaction'), false);
    const { code, stdout } = await cli.run(run('Three?'));
    assert.deepEqual([code, stdout], [0, 'Third.\n']);
    assert.deepEqual(asked(3).slice(0, 2), [first, long(650)]);
    assert.match(String(asked(4)[0]), /Summary again\./);
    assert.deepEqual(asked(4).slice(2), [second, stopped, 'Three?']);
  });

  it('goes on from the summary when it was complete', async () => {
    const gate = createGate();
    cli.server.script({ text: 'Summary.' }, { text: [gate, 'Second.'] }, { text: 'Third.' });
    await killAt(gate);
    assert.equal((await entryTypes()).at(-1), 'compaction');
    const { code, stdout } = await cli.run(run('Three?'));
    assert.deepEqual([code, stdout], [0, 'Third.\n']);
    assert.match(String(asked(4)[0]), /Summary\./);
    assert.deepEqual(asked(4).slice(2), [second, stopped, 'Three?']);
  });
});
