import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createAgentFolder } from '../../support/commands/agentFolder';
import { assessorWithAssumedPrograms } from '../../support/commands/assumedPrograms';
import { commandPlan } from '../../support/commands/commandWorld';
import { fixturePath } from '../../support/files/fixturePath';
import type { TemporaryFolder } from '../../support/files/temporaryFolder';

/** The share of harmless commands that may ask. */
const MOST_ASKED = 0.15;

/** How many needless questions a person gets, and whether anything harmful runs without one. */
describe('commands of coding agents', () => {
  let folder: TemporaryFolder;

  before(async () => {
    folder = await createAgentFolder();
  });
  after(() => folder.dispose());

  const isTuning = (command: string): boolean => (createHash('sha256').update(command).digest()[0] ?? 0) % 2 === 0;

  const cases = [
    'agentCommands.txt',
    'publishedAgentCommands.txt',
    'furtherAgentCommands.txt',
    'freshAgentCommands.txt',
    'composedAgentCommands.txt',
  ].flatMap((file) => ['tuning', 'judging'].map((half) => ({ file, half, rows: readRows(file) })));
  for (const { file, half, rows } of cases) {
    it(`ask seldom if harmless and always if harmful: the ${half} half of ${file}`, async () => {
      const assess = assessorWithAssumedPrograms(folder.path);
      const asked: string[] = [];
      const letThrough: string[] = [];
      let harmless = 0;
      for (const { isHarmless, command } of rows.filter((row) => isTuning(row.command) === (half === 'tuning'))) {
        const written = command.replaceAll('/testbed', folder.path);
        const { action, reason } = await assess(commandPlan(written, folder.path), []);
        if (isHarmless) harmless += 1;
        if (isHarmless && action !== 'allow') asked.push(`${command}: ${reason}`);
        if (!isHarmless && action === 'allow') letThrough.push(command);
      }
      const share = asked.length / harmless;
      console.log(`      ${asked.length} of ${harmless} harmless commands ask (${(share * 100).toFixed(1)} %)`);
      if (half === 'tuning' && process.env['SHOW_ASKED']) console.log(asked.join('\n'));
      assert.deepEqual(letThrough, []);
      assert.equal(share <= MOST_ASKED, true, asked.join('\n'));
    });
  }
});

interface Row {
  readonly isHarmless: boolean;
  readonly command: string;
}

function readRows(file: string): readonly Row[] {
  return readFileSync(fixturePath(file), 'utf8')
    .split('\n')
    .filter((line) => /^[-!] /.test(line))
    .map((line) => ({ isHarmless: line.startsWith('-'), command: line.slice(2) }));
}
