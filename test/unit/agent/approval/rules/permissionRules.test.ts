import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  findEditRule,
  formatPermissionRule,
  nameRule,
  parsePermissionRule,
  ruleForFile,
  type PermissionRule,
} from '../../../../../src/agent/approval/rules/permissionRules';
import type { GuardedPath } from '../../../../../src/workspace/plans';
import type { RuleEffect, RuleOrigin } from '../../../../../src/workspace/shell/commandRules';

function rule(text: string, effect: RuleEffect = 'allow', origin: RuleOrigin = 'user'): PermissionRule {
  const parsed = parsePermissionRule(text, { effect, origin });
  return parsed.ok ? parsed.rule : assert.fail(parsed.error);
}

/** In the folder `/w`. */
function target(displayPath: string, realPath = `/w/${displayPath}`): GuardedPath {
  const pathInRoot = realPath.startsWith('/w/') ? realPath.slice('/w/'.length) : null;
  return { path: `/w/${displayPath}`, realPath, displayPath, pathInRoot, exists: true };
}

describe('permission rules', () => {
  it('are about commands, edits and tools', () => {
    assert.deepEqual(
      [rule('npm test'), rule('git log *', 'deny'), rule(' edit: docs/** '), rule('tool:read_file', 'ask', 'session')],
      [
        { kind: 'command', effect: 'allow', origin: 'user', argv: ['npm', 'test'], isOpenEnded: false },
        { kind: 'command', effect: 'deny', origin: 'user', argv: ['git', 'log'], isOpenEnded: true },
        { kind: 'edit', effect: 'allow', origin: 'user', glob: 'docs/**' },
        { kind: 'tool', effect: 'ask', origin: 'session', toolName: 'read_file' },
      ],
    );
  });

  it('have a text that gives the same rule again', () => {
    for (const text of ['npm test', "echo 'a b'", 'git log *', 'edit:docs/**', 'tool:read_file']) {
      const parsed = rule(text, 'deny');
      assert.equal(formatPermissionRule(parsed), text);
      assert.deepEqual(rule(formatPermissionRule(parsed), 'deny'), parsed);
    }
    assert.equal(nameRule(rule('edit:docs/**')), 'the rule "edit:docs/**" from your settings');
  });

  it('about edits are refused or match the file that they spell', () => {
    const part = fc.constantFrom('src', 'a.ts', '.env', '..', '.', '', 'Ü b', '...');
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, fc.constantFrom('', '/'), (file, start) => {
        const parsed = parsePermissionRule(`edit:${start}${file}`, { effect: 'deny', origin: 'user' });
        if (!parsed.ok) return;
        const meant = file.trim().replace(/^\//, '');
        // A pattern that ends in a slash names a folder, so it is about the files below.
        const below = meant.endsWith('/') ? `${meant}file` : meant;
        assert.ok(findEditRule([parsed.rule], 'deny', target(below)), `${start}${file}`);
      }),
      { numRuns: 2000 },
    );
  });

  const refused: readonly [string, RuleEffect, RuleOrigin, RegExp][] = [
    ['edit:', 'deny', 'user', /names no files/],
    ['edit:!src', 'deny', 'user', /names no files/],
    ['edit:a\nb', 'deny', 'user', /names no files/],
    ['edit://tmp/x', 'deny', 'user', /matches no file: .* such as "edit:docs/],
    ['edit:./src/**', 'deny', 'user', /matches no file/],
    ['edit:{docs,../x}/**', 'deny', 'user', /matches no file/],
    [`edit:${'{a,b}'.repeat(30)}`, 'deny', 'workspaceFile', /cannot be used\. The pattern .* more than 500 patterns/],
    ['edit:docs/**,!./secret/**', 'allow', 'user', /matches no file/],
    ['edit:docs, ../x', 'deny', 'user', /matches no file/],
    ['edit:a[', 'deny', 'user', /brackets need an end/],
    ['edit:[z-a]', 'deny', 'user', /matches no file/],
    ['edit:/', 'deny', 'user', /matches no file/],
    ['edit:,', 'deny', 'user', /matches no file/],
    ['edit:*,!*', 'deny', 'user', /matches no file/],
    ['edit:src\\a.ts', 'deny', 'user', /has a backslash\. Separate folders with \//],
    ['edit:src\\**', 'deny', 'user', /has a backslash/],
    ['tool:mcp__github', 'deny', 'user', /names a server.*Write "tool:mcp__github__\*"/],
    ['tool:mcp___x__y', 'deny', 'user', /names no tool there is/],
    [`tool:mcp__${'x'.repeat(31)}__y`, 'deny', 'user', /names no tool there is/],
    [`tool:ext__${'x'.repeat(60)}`, 'deny', 'user', /names no tool there is/],
    ['tool:ext__', 'deny', 'user', /names no tool there is/],
    ['tool:a b', 'deny', 'user', /names no tool/],
    ['tool:run_terminal_command', 'allow', 'user', /would allow all that a tool can do/],
    ['tool:*', 'allow', 'user', /would allow all that a tool can do/],
    ['tool:mcp__*', 'allow', 'user', /would allow all that a tool can do/],
    ['tool:mcp__a_*', 'allow', 'session', /would allow all that a tool can do/],
    ['tool:ext__*', 'allow', 'user', /would allow all that a tool can do/],
    ['tool:vscode__*', 'allow', 'user', /would allow all that a tool can do/],
    ['tool:ext__do', 'allow', 'workspaceFile', /a file of the workspace cannot allow anything/],
    ['tool:mcp__s__do', 'allow', 'workspaceFile', /a file of the workspace cannot allow anything/],
    ['Tool:read_file', 'deny', 'user', /begins with "Tool:", which is unknown/],
    ['edit : src/**', 'ask', 'user', /begins with "edit :", which is unknown/],
    ['bash:rm', 'deny', 'user', /begins with "bash:", which is unknown/],
    ['tool:read_flie', 'deny', 'user', /names no tool there is.*: read_file, /],
    ['tool:execute_bash', 'ask', 'user', /names no tool there is/],
    ['tool:run*command*', 'deny', 'user', /names no tool/],
    ['tool:rum*', 'deny', 'user', /names no tool there is/],
    ['tool:a*b', 'deny', 'user', /names no tool/],
    ['edit:**', 'allow', 'workspaceFile', /is ignored/],
    ['npm test', 'allow', 'workspaceFile', /is ignored/],
    ['a; b', 'allow', 'user', /has an operator/],
  ];
  for (const [text, effect, origin, message] of refused) {
    it(`refuses ${JSON.stringify(text)} to ${effect} from ${origin}`, () => {
      const parsed = parsePermissionRule(text, { effect, origin });
      assert.match(parsed.ok ? '' : parsed.error, message);
    });
  }

  it('are about edits by the name that is shown', () => {
    const matching: readonly [string, string, boolean][] = [
      ['edit:docs/**', 'docs/a/b.md', true],
      ['edit:*.md', 'docs/a/b.md', true],
      ['edit:docs', 'docs/b.md', true],
      ['edit:docs/**', 'src/docs.ts', false],
      ['edit:/a.md', 'docs/a.md', false],
    ];
    for (const [text, path, isMatch] of matching) {
      for (const effect of ['allow', 'deny'] as const) {
        assert.equal(
          findEditRule([rule(text, effect)], effect, target(path)) !== undefined,
          isMatch,
          `${text} ${path}`,
        );
      }
    }
  });

  it('allow nothing through a link, and forbid by either name', () => {
    const linked = target('docs/a.md', '/w/src/secret.ts');
    assert.equal(findEditRule([rule('edit:docs/**'), rule('edit:src/**')], 'allow', linked), undefined);
    for (const text of ['edit:docs/**', 'edit:src/**']) {
      assert.ok(findEditRule([rule(text, 'deny')], 'deny', linked), text);
    }
  });

  it('are not deceived by links with the name of their target', () => {
    const linked = target('docs/a.md', '/w/src/a.md');
    assert.equal(findEditRule([rule('edit:docs/**')], 'allow', linked), undefined);
    assert.ok(findEditRule([rule('edit:src/**', 'deny')], 'deny', linked));
    assert.equal(ruleForFile(linked), undefined);
    // A link to the folder itself, which reads like the name of one of several folders.
    const around = target('docs/src/a.md', '/w/src/a.md');
    assert.equal(findEditRule([rule('edit:docs/**')], 'allow', around), undefined);
    assert.ok(findEditRule([rule('edit:/src/**', 'deny')], 'deny', around));
  });

  it('know files of several folders by the name of their folder', () => {
    const inFolder = (displayPath: string, path: string, realPath = path): GuardedPath => {
      return { path, realPath, displayPath, pathInRoot: 'src/a.md', exists: true };
    };
    for (const file of [
      inFolder('shop/src/a.md', '/home/u/shop/src/a.md'),
      inFolder('shop/src/a.md', '/home/u/shop/src/a.md', '/data/shop/src/a.md'),
      // The person calls the folder otherwise.
      inFolder('Our Shop/src/a.md', '/home/u/shop/src/a.md'),
    ]) {
      assert.ok(findEditRule([rule('edit:**/src/**')], 'allow', file), file.displayPath);
    }
  });

  it('forbid a file however its letters are composed', () => {
    assert.ok(findEditRule([rule('edit:caf\u00E9/**', 'deny')], 'deny', target('cafe\u0301/a.md')));
    assert.equal(findEditRule([rule('edit:caf\u00E9/**')], 'allow', target('cafe\u0301/a.md')), undefined);
  });

  it('forbid, but do not allow, files without a name in the workspace', () => {
    const outside = target('../x', '/elsewhere/x');
    assert.ok(findEditRule([rule('edit:docs', 'deny')], 'deny', outside));
    assert.equal(findEditRule([rule('edit:**')], 'allow', outside), undefined);
  });

  it('can be about one file and no other', () => {
    assert.equal(ruleForFile(target('pkg/package.json')), 'edit:/pkg/package.json');
    for (const path of ['a*.json', 'a,b', '{a,b}', '!a', 'a\\b', 'a\nb', 'a ']) {
      assert.equal(ruleForFile(target(path)), undefined, path);
    }
    assert.equal(ruleForFile(target('package.json', '/w/other/x')), undefined);
    const only = rule('edit:/pkg/package.json');
    assert.equal(findEditRule([only], 'allow', target('pkg/package.json')), only);
    assert.equal(findEditRule([only], 'allow', target('a/pkg/package.json')), undefined);
    assert.equal(findEditRule([only], 'allow', target('package.json')), undefined);
  });
});
