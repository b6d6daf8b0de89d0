import assert from 'node:assert/strict';
import {
  formatRule,
  matchesRule,
  parseRule,
  rulesIn,
  type CommandRule,
} from '../../../../src/workspace/shell/commandRules';

function allow(text: string): CommandRule {
  const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
  return parsed.ok ? parsed.rule : assert.fail(parsed.error);
}

function deny(text: string): CommandRule {
  const parsed = parseRule(text, { effect: 'deny', origin: 'workspaceFile' });
  return parsed.ok ? parsed.rule : assert.fail(parsed.error);
}

describe('command rules', () => {
  const texts: readonly [string, readonly string[], boolean][] = [
    ['npm test', ['npm', 'test'], false],
    ['  npm   test ', ['npm', 'test'], false],
    ['npm run *', ['npm', 'run'], true],
    ["git commit -m 'a b' *", ['git', 'commit', '-m', 'a b'], true],
    ["ls '*'", ['ls', '*'], false],
    ["ls 'a'\\''b'", ['ls', "a'b"], false],
    ["ls ''", ['ls', ''], false],
    ['./gradlew test', ['./gradlew', 'test'], false],
    ["echo 'é' '$x'", ['echo', 'é', '$x'], false],
  ];
  for (const [text, argv, isOpenEnded] of texts) {
    it(`reads ${text} and writes it so that it is read again`, () => {
      const rule = allow(text);
      assert.deepEqual(rule, { effect: 'allow', origin: 'user', argv, isOpenEnded });
      assert.deepEqual(allow(formatRule(rule)), rule);
    });
  }

  const wrong: readonly [string, RegExp][] = [
    ['', /is empty/],
    ['*', /would allow every command/],
    ['bash *', /bash can run other programs/],
    ['git *', /git can run other programs/],
    ['/usr/bin/env *', /can run other programs/],
    ['python3 *', /can run other programs/],
    ['npm test && ls', /write one rule for each/],
    ['npm test; ls', /write one rule for each/],
    ['npm test 2>&1', /has an operator/],
    ['npm run test*', /stands alone, as the last word/],
    ['* test', /stands alone/],
    ['echo $HOME', /Quote such words/],
    ["echo 'a", /not closed/],
    ['A=b npm test', /sets a variable. Begin with the program/],
    ["'' test", /"" is no program/],
    ['bin/ test', /"bin\/" is no program/],
    ['.. test', /"\.\." is no program/],
    ['if test', /"if" is a word of the shell/],
    ['export A', /can allow nothing, .* always asks/],
    ['cd *', /can allow nothing: `cd` asks only where it leads outside/],
    ["'a b' test", /can allow nothing: "a b" has characters/],
    ["npm 'a\nb'", /can allow nothing, .* more than one line/],
    ['[ -f a ]', /can allow nothing: brackets/],
    ['[ -f a', /"]" is missing/],
  ];
  for (const [text, expected] of wrong) {
    it(`refuses to allow ${JSON.stringify(text)}, and names it`, () => {
      const parsed = parseRule(text, { effect: 'allow', origin: 'user' });
      assert.equal(parsed.ok, false);
      assert.match(parsed.ok ? '' : parsed.error, expected);
      assert.equal(parsed.ok ? '' : parsed.error.includes(JSON.stringify(text)), true);
    });
  }

  it('lets a file of the workspace forbid and ask, but not allow', () => {
    assert.equal(parseRule('ls', { effect: 'allow', origin: 'workspaceFile' }).ok, false);
    assert.equal(parseRule('ls *', { effect: 'ask', origin: 'workspaceFile' }).ok, true);
    assert.equal(parseRule('*', { effect: 'deny', origin: 'workspaceFile' }).ok, true);
  });

  const matches: readonly [CommandRule, readonly string[], boolean][] = [
    [allow('npm test'), ['npm', 'test'], true],
    [allow('npm test'), ['npm', 'test', '--x'], false],
    [allow('npm test'), ['npm'], false],
    [allow('npm test'), ['npm', 'tests'], false],
    [allow('npm test'), ['npm', 'TEST'], false],
    [allow('npm test'), ['./npm', 'test'], false],
    [allow('npm test'), ['/usr/bin/npm', 'test'], false],
    [allow('npm run *'), ['npm', 'run'], true],
    [allow('npm run *'), ['npm', 'run', 'a', '*'], true],
    [allow('npm run *'), ['npm', 'runx'], false],
    [deny('rm *'), ['rm', '-rf', 'x'], true],
    [deny('rm *'), ['/bin/rm', 'x'], true],
    [deny('rm *'), ['./rm', 'x'], true],
    [deny('rm *'), ['rmdir', 'x'], false],
    [deny('*'), ['anything'], true],
    [deny('test *'), ['[', '-f', 'a', ']'], true],
    [deny('test -f a'), ['[', '-f', 'a', ']'], true],
    [deny('test -f a'), ['[', '-f', 'b', ']'], false],
    [deny('[ -f a ]'), ['test', '-f', 'a'], true],
    [deny('[ *'), ['[', '-f', 'a', ']'], true],
    [deny('tests *'), ['[', '-f', 'a', ']'], false],
    [allow('test -f a'), ['[', '-f', 'a', ']'], false],
  ];
  for (const [rule, argv, expected] of matches) {
    it(`${rule.effect} ${formatRule(rule)} ${expected ? 'is' : 'is not'} about ${argv.join(' ')}`, () => {
      assert.equal(matchesRule(rule, argv), expected);
    });
  }

  it('forbids a program with any ending and case if the shell ignores both', () => {
    assert.equal(matchesRule(deny('git push *'), ['C:\\x\\GIT.EXE', 'push']), true);
    assert.equal(matchesRule(deny('git push *'), ['GIT', 'push']), true);
    assert.equal(matchesRule(deny('git push *'), ['git', 'PUSH']), false);
  });

  it('allows in the real folder of the rule only, and without one in the workspace folders only', () => {
    const inFolder = { ...allow('npm test'), folder: '/w/a' };
    const anywhere = allow('npm test');
    const restricting = deny('rm *');
    const held = (realPath: string, pathInRoot: string | null) =>
      rulesIn({ realPath, pathInRoot }, [inFolder, anywhere, restricting]);
    assert.deepEqual(held('/w', ''), [anywhere, restricting]);
    assert.deepEqual(held('/w/a', 'a'), [inFolder, restricting]);
    assert.deepEqual(held('/w/a/b', 'a/b'), [restricting]);
    assert.deepEqual(held('/elsewhere', null), [restricting]);
  });
});
