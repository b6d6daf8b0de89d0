import assert from 'node:assert/strict';
import { judgeCommand, type CommandJudgement } from '../../../../src/workspace/shell/judgeCommand';
import {
  parseRule,
  type CommandRule,
  type RuleEffect,
  type RuleOrigin,
} from '../../../../src/workspace/shell/commandRules';
import { bundledGrammars } from '../../../../src/workspace/shell/parse/bundledGrammars';
import { parseCommand } from '../../../../src/workspace/shell/parse/parseCommand';

const grammars = bundledGrammars();

function rule(text: string, effect: RuleEffect, origin: RuleOrigin = 'user'): CommandRule {
  const parsed = parseRule(text, { effect, origin });
  return parsed.ok ? parsed.rule : assert.fail(parsed.error);
}

async function judge(command: string, ...rules: readonly CommandRule[]): Promise<CommandJudgement> {
  return judgeCommand(await parseCommand(command, 'bash', grammars), { shell: 'bash', rules });
}

describe('judgeCommand', () => {
  it('asks about a command without a rule, and can remember its exact words', async () => {
    const { action, reason, runsWorkspaceCode, remember } = await judge("npm run 'a b'");
    assert.deepEqual(
      { action, reason, runsWorkspaceCode, remember },
      {
        action: 'ask',
        reason: "Asks because `npm run 'a b'` can change things.",
        runsWorkspaceCode: false,
        remember: { ok: true, calls: [['npm', 'run', 'a b']] },
      },
    );
  });

  it('remembers only the parts that are not allowed yet', async () => {
    const judged = await judge('npm test && ls && make all | cat', rule('npm test', 'allow', 'session'));
    assert.deepEqual(judged.remember, { ok: true, calls: [['make', 'all']] });
    assert.deepEqual(
      judged.parts.map(({ action }) => action),
      ['allow', 'allow', 'ask', 'allow'],
    );
  });

  it('restricts it there under every name, also if it does more than read or cannot be read', async () => {
    for (const effect of ['deny', 'ask'] as const) {
      const restricting = rule('git -C src *', effect);
      for (const command of [
        'git -C src push',
        'timeout 5 git -C src log',
        'timeout -k 1 5 git -C src log',
        'git --no-pager -C src log',
        'git -C src --no-pager log',
        'git -c a.b=c -C src push',
        'for f in a; do timeout 5 git -C src log $f; done',
      ]) {
        const judged = await judge(command, restricting);
        assert.deepEqual([judged.action, judged.rule], [effect, restricting], command);
      }
      for (const command of ['timeout -s KILL 5 rm a', 'timeout 5 rm a', '(timeout 5 timeout 5 /bin/rm a)'])
        assert.equal((await judge(command, rule('rm *', effect))).rule?.effect, effect, command);
      assert.equal((await judge('git -C test push', rule('git push', effect))).rule?.effect, effect);
      assert.equal((await judge('git -C src log', rule('git src *', effect))).rule, undefined);
    }
  });

  it('restricts a call also behind the words that change only how it runs', async () => {
    for (const effect of ['deny', 'ask'] as const) {
      const restricting = [rule('git log *', effect), rule('cat *', effect)];
      for (const command of [
        'git --no-pager log',
        'git -C src log -3',
        'timeout 5 git -C src log',
        'timeout 5 cat a',
      ]) {
        assert.equal((await judge(command)).action, 'allow', command);
        assert.equal((await judge(command, ...restricting)).action, effect, command);
      }
    }
  });

  it('takes no rule for a call with a file as input or with a variable, and remembers none', async () => {
    for (const command of ['npm test < a', 'NO_COLOR=1 npm test', 'ls && LC_ALL=C npm test']) {
      const { action, remember } = await judge(command, rule('npm test', 'allow'));
      assert.deepEqual([action, remember], ['ask', { ok: false }], command);
    }
    assert.equal((await judge('LC_ALL=C cat a', rule('cat *', 'deny'))).action, 'deny');
    assert.equal((await judge('cat < a', rule('cat', 'ask'))).action, 'ask');
  });

  it('reads a file that is the input of a command', async () => {
    const { action, parts } = await judge('wc -l < a | sort - < b');
    assert.deepEqual([action, parts.map(({ readOnly }) => readOnly?.reads)], ['allow', [['a'], ['b']]]);
  });

  it('allows built-in commands that only read, and marks that they run no code of the workspace', async () => {
    const { action, reason, runsWorkspaceCode, rule: matched } = await judge('ls src | wc -l');
    assert.deepEqual(
      { action, reason, runsWorkspaceCode, matched },
      { action: 'allow', reason: '`ls` only reads', runsWorkspaceCode: false, matched: undefined },
    );
  });

  it('allows a command by a rule, and marks that it may run code of the workspace', async () => {
    const npmTest = rule('npm test', 'allow', 'workspace');
    const { action, reason, runsWorkspaceCode, rule: matched } = await judge('npm test && git status', npmTest);
    assert.deepEqual(
      { action, reason, runsWorkspaceCode, matched },
      {
        action: 'allow',
        reason: 'Allowed by the rule "npm test" from what you allowed in this workspace',
        runsWorkspaceCode: true,
        matched: npmTest,
      },
    );
  });

  const precedence: readonly [string, readonly CommandRule[], string, string][] = [
    [
      'npm test',
      [rule('npm test', 'allow'), rule('npm *', 'ask')],
      'ask',
      'Asks because of the rule "npm *" from your settings.',
    ],
    [
      'npm test',
      [rule('npm test', 'allow'), rule('npm test', 'ask'), rule('npm *', 'deny', 'workspaceFile')],
      'deny',
      'Forbidden by the rule "npm *" from a file of this workspace',
    ],
    ['ls', [rule('ls', 'ask')], 'ask', 'Asks because of the rule "ls" from your settings.'],
    [
      'ls && rm -rf x',
      [rule('rm *', 'deny'), rule('ls', 'ask')],
      'deny',
      'Forbidden by the rule "rm *" from your settings',
    ],
    ['echo $(rm -rf x)', [rule('rm *', 'deny')], 'deny', 'Forbidden by the rule "rm *" from your settings'],
    ['/bin/rm x', [rule('rm *', 'deny')], 'deny', 'Forbidden by the rule "rm *" from your settings'],
    ['"rm" x', [rule('rm *', 'deny')], 'deny', 'Forbidden by the rule "rm *" from your settings'],
    ['r\\m x', [rule('rm *', 'deny')], 'deny', 'Forbidden by the rule "rm *" from your settings'],
    ['{a,b}', [rule('*', 'deny')], 'deny', 'Forbidden by the rule "*" from your settings'],
    ['export A=b', [rule('export *', 'deny')], 'deny', 'Forbidden by the rule "export *" from your settings'],
    ['ls $x', [rule('ls *', 'allow')], 'ask', 'Cannot be checked in advance: it uses a variable (`$x`).'],
  ];
  for (const [command, rules, action, reason] of precedence) {
    it(`${action}: ${command} with ${rules.map((one) => `${one.effect} ${one.argv.join(' ')}`).join(', ')}`, async () => {
      const judged = await judge(command, ...rules);
      assert.deepEqual([judged.action, judged.reason, judged.runsWorkspaceCode], [action, reason, false]);
    });
  }

  it('neither allows nor remembers a program with a quoted name', async () => {
    for (const command of ['"npm" test', "n'p'm test", '\\npm test']) {
      const judged = await judge(command, rule('npm test', 'allow'));
      assert.deepEqual([judged.action, judged.remember.ok], ['ask', false], command);
    }
  });

  it('remembers nothing against a stricter rule, and no command that cannot be checked', async () => {
    assert.deepEqual((await judge('npm test', rule('npm *', 'ask'))).remember, { ok: false });
    assert.deepEqual((await judge('npm test > x')).remember, { ok: false });
  });
});
