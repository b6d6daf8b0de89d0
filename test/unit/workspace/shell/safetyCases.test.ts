import assert from 'node:assert/strict';
import * as z from 'zod';
import type { ShellName } from '../../../../src/workspace/shell/parse/analysis';
import { judgeCommand } from '../../../../src/workspace/shell/judgeCommand';
import {
  parseRule,
  type CommandRule,
  type RuleEffect,
  type RuleOrigin,
} from '../../../../src/workspace/shell/commandRules';
import { bundledGrammars } from '../../../../src/workspace/shell/parse/bundledGrammars';
import { parseCommand } from '../../../../src/workspace/shell/parse/parseCommand';
import { safetySample, textSamples } from '../../../support/safetySample';

/** A program in the current folder is found by resolveProgram, not by the words: those samples are not texts. */
const tables: readonly (readonly [ShellName, ReturnType<typeof textSamples>])[] = [
  ['bash', textSamples('shell-allow')],
  ['bash', textSamples('shell-ask-posix')],
  ['powershell', textSamples('shell-ask-pwsh')],
  ['cmd', textSamples('shell-ask-cmd')],
];

function rule(text: string, effect: RuleEffect = 'allow', origin: RuleOrigin = 'user'): CommandRule {
  const parsed = parseRule(text, { effect, origin });
  assert.equal(parsed.ok, true, text);
  return parsed.ok ? parsed.rule : assert.fail();
}

/** As the README of the cases has it. */
const rules = ['git status', 'npm test', 'ls', 'echo'].map((text) => rule(text));

describe('the safety samples about commands', () => {
  const grammars = bundledGrammars();

  it('are complete', () => {
    assert.deepEqual(
      tables.map(([, samples]) => samples.length),
      [8, 36, 7, 2],
    );
  });

  for (const [shell, samples] of tables) {
    for (const { id, input, expected, note } of samples) {
      it(`${id}: ${expected}: ${note}`, async () => {
        const judged = judgeCommand(await parseCommand(input, shell, grammars), { shell, rules });
        // File patterns are replaced by `assessCommand`, which knows the folder.
        assert.equal(judged.action, id === 'OK12' ? 'ask' : expected, judged.reason);
      });
    }
  }

  it('does not offer to remember a command that cannot be checked', async () => {
    const { alwaysAllowClickedOn } = safetySample('RU12', z.object({ alwaysAllowClickedOn: z.string() })).input;
    const judged = judgeCommand(await parseCommand(alwaysAllowClickedOn, 'bash', grammars), { shell: 'bash', rules });
    assert.equal(judged.action, 'ask');
    assert.equal(judged.remember.ok, false);
  });

  it('ignores allow rules from a file of the workspace', async () => {
    const shape = z.object({ command: z.string() });
    for (const { input } of [safetySample('RU05', shape), safetySample('RU08', shape)]) {
      const { command } = input;
      assert.equal(parseRule('*', { effect: 'allow', origin: 'workspaceFile' }).ok, false);
      const forged: CommandRule = { effect: 'allow', origin: 'workspaceFile', argv: [], isOpenEnded: true };
      const analysis = await parseCommand(command, 'bash', grammars);
      assert.equal(judgeCommand(analysis, { shell: 'bash', rules: [forged] }).action, 'ask');
    }
  });

  it('applies a deny rule inside a command that cannot be checked', async () => {
    const ids = ['SA01', 'SA15', 'SA17', 'SA36', 'SA46', 'SA52', 'SA59', 'SA61'];
    for (const { input } of textSamples('shell-ask-posix').filter(({ id }) => ids.includes(id))) {
      const analysis = await parseCommand(input, 'bash', grammars);
      const judged = judgeCommand(analysis, { shell: 'bash', rules: [...rules, rule('touch *', 'deny')] });
      assert.equal(judged.action, 'deny', input);
    }
    for (const { id, input } of [safetySample('SA112'), safetySample('SA114')]) {
      const analysis = await parseCommand(input, 'bash', grammars);
      const judged = judgeCommand(analysis, {
        shell: 'bash',
        rules: [...rules, rule('echo *', 'deny', 'workspaceFile')],
      });
      assert.equal(judged.action, 'deny', id);
    }
  });
});
