import assert from 'node:assert/strict';
import cases from '../../../fixtures/cases/safety-cases.json';
import type { ShellName } from '../../../../src/workspace/shell/analysis';
import { judgeCommand } from '../../../../src/workspace/shell/commandPolicy';
import {
  parseRule,
  type CommandRule,
  type RuleEffect,
  type RuleOrigin,
} from '../../../../src/workspace/shell/commandRules';
import { Grammars } from '../../../../src/workspace/shell/grammars';
import { parseCommand } from '../../../../src/workspace/shell/parseCommand';

const SHELLS: Readonly<Record<string, ShellName>> = {
  'shell-allow': 'bash',
  'shell-ask-posix': 'bash',
  'shell-ask-pwsh': 'powershell',
  'shell-ask-cmd': 'cmd',
};

function rule(text: string, effect: RuleEffect = 'allow', origin: RuleOrigin = 'user'): CommandRule {
  const parsed = parseRule(text, { effect, origin });
  assert.equal(parsed.ok, true, text);
  return parsed.ok ? parsed.rule : assert.fail();
}

/** As the README of the cases has it. */
const rules = ['git status', 'npm test', 'ls', 'echo'].map((text) => rule(text));

describe('the safety samples about commands', () => {
  const grammars = new Grammars();
  const samples = cases.flatMap(({ group, id, input, expected, note }) => {
    const shell = SHELLS[group];
    if (shell === undefined) return [];
    const command = typeof input === 'string' ? input : (input as { readonly command: string }).command;
    // A program in the current folder is found by resolveProgram, not by the words.
    const needsFiles = typeof input !== 'string';
    return needsFiles ? [] : [{ id, shell, command, expected, note }];
  });

  it('are all here', () => {
    const counts = Object.keys(SHELLS).map((group) => cases.filter((sample) => sample.group === group).length);
    assert.deepEqual(counts, [8, 36, 7, 3]);
    assert.equal(samples.length, 53);
  });

  for (const { id, shell, command, expected, note } of samples) {
    it(`${id}: ${expected}: ${note}`, async () => {
      const judged = judgeCommand(await parseCommand(command, shell, grammars), { shell, rules });
      assert.equal(judged.action, expected, judged.reason);
    });
  }

  it('offers nothing to remember for what cannot be analysed', async () => {
    const sample = cases.find(({ id }) => id === 'RU12')?.input as { readonly alwaysAllowClickedOn: string };
    const judged = judgeCommand(await parseCommand(sample.alwaysAllowClickedOn, 'bash', grammars), {
      shell: 'bash',
      rules,
    });
    assert.equal(judged.action, 'ask');
    assert.equal(judged.remember.ok, false);
  });

  it('ignores what a file of the workspace allows', async () => {
    for (const id of ['RU05', 'RU08']) {
      const { command } = cases.find((sample) => sample.id === id)!.input as { readonly command: string };
      assert.equal(parseRule('*', { effect: 'allow', origin: 'workspaceFile' }).ok, false);
      const forged: CommandRule = { effect: 'allow', origin: 'workspaceFile', argv: [], isOpenEnded: true };
      const analysis = await parseCommand(command, 'bash', grammars);
      assert.equal(judgeCommand(analysis, { shell: 'bash', rules: [forged] }).action, 'ask');
    }
  });

  it('still forbids what a rule forbids inside a command that cannot be analysed', async () => {
    const ids = ['SA01', 'SA15', 'SA17', 'SA36', 'SA46', 'SA52', 'SA59', 'SA61'];
    for (const { input } of cases.filter(({ id }) => ids.includes(id))) {
      const analysis = await parseCommand(input as string, 'bash', grammars);
      const judged = judgeCommand(analysis, { shell: 'bash', rules: [...rules, rule('touch *', 'deny')] });
      assert.equal(judged.action, 'deny', input as string);
    }
    for (const id of ['SA112', 'SA114']) {
      const analysis = await parseCommand(cases.find((sample) => sample.id === id)?.input as string, 'bash', grammars);
      const judged = judgeCommand(analysis, {
        shell: 'bash',
        rules: [...rules, rule('echo *', 'deny', 'workspaceFile')],
      });
      assert.equal(judged.action, 'deny', id);
    }
  });
});
