import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  commandRules,
  findEditRule,
  findToolRule,
  parsePermissionRule,
  type PermissionRule,
} from '../../../../../src/agent/approval/rules/permissionRules';
import { RuleStore } from '../../../../../src/agent/approval/rules/ruleStore';
import { nameTools, toolPrefix } from '../../../../../src/mcp/nameTools';
import { isServerName } from '../../../../../src/mcp/serverName';
import { findExamples } from '../../../../../src/workspace/search/globExamples';
import { formatRule, quoteWord, type RuleEffect } from '../../../../../src/workspace/shell/commandRules';
import { judgeCommand } from '../../../../../src/workspace/shell/judgeCommand';
import { bundledGrammars } from '../../../../../src/workspace/shell/parse/bundledGrammars';
import { parseCommand } from '../../../../../src/workspace/shell/parse/parseCommand';
import { workspaceToolNames } from '../../../../../src/workspace/tools/workspaceToolNames';

const effects = fc.constantFrom<RuleEffect>('allow', 'ask', 'deny');
const special = [...'*?[]{}!#\\/.,~-'];

function parse(text: string, effect: RuleEffect): PermissionRule | undefined {
  const parsed = parsePermissionRule(text, { effect, origin: 'user' });
  return parsed.ok ? parsed.rule : undefined;
}

function target(file: string) {
  return { path: `/w/${file}`, realPath: `/w/${file}`, displayPath: file, pathInRoot: file, exists: true };
}

/** A rule that can match nothing must be refused, so each accepted rule is shown something that it matches. */
describe('permission rules that are accepted', () => {
  const grammars = bundledGrammars();

  it('about edits match a file that can exist', () => {
    const piece = fc.oneof(
      fc.constantFrom(...special),
      fc.constantFrom('a', 'Z', 'src', '[a-z]', '**', 'e\u0301', ' '),
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, effects, (glob, effect) => {
        const rule = parse(`edit:${glob}`, effect);
        if (rule?.kind !== 'edit') return;
        const files = [rule.glob, rule.glob.normalize()].flatMap(findExamples).filter(canExist);
        assert.ok(files.some((file) => findEditRule([rule], effect, target(file)) === rule));
      }),
      { numRuns: 20_000 },
    );
  });

  it('about edits are refused only if a part of them matches none of many files', () => {
    const names = [
      'a',
      'b',
      'ab',
      'src',
      '.a',
      'a.',
      '..a',
      'a b',
      '*',
      '?',
      '[',
      ']',
      '{',
      '}',
      '!',
      '#',
      '-',
      '~',
      '!a',
    ];
    const files = [...names, ...names.flatMap((folder) => names.map((name) => `${folder}/${name}`))];
    const piece = fc.oneof(fc.constantFrom(...special), fc.constantFrom('a', 'b', 'src', '[!a]', '**'));
    // Neither alternatives nor a sign in front, which have reasons of their own to be refused.
    const text = fc
      .array(piece, { minLength: 1, maxLength: 5 })
      .map((pieces) => pieces.join(''))
      .filter((glob) => !/[{},\\]|^[!#]|\/\/|^\.{1,2}\/|\/\.{1,2}(?:\/|$)/.test(glob));
    fc.assert(
      fc.property(text, (glob) => {
        if (parse(`edit:${glob}`, 'deny')) return;
        const rule = { kind: 'edit', effect: 'deny', origin: 'user', glob: glob.trim() } as const;
        assert.deepEqual(
          files.filter((file) => findEditRule([rule], 'deny', target(file)) !== undefined),
          [],
        );
      }),
      { numRuns: 2000, examples: [['[**.]'], ['[.*][.a]']] },
    );
  });

  it('about tools match a tool that there is, or that a server or an extension can provide', () => {
    const piece = fc.constantFrom(
      ...special,
      'mcp__',
      'ext__',
      'vscode__',
      '_',
      '__',
      'a',
      'B',
      '7',
      '-',
      'read_file',
      'run_',
      'é',
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const long = fc.integer({ min: 50, max: 80 }).map((length) => `mcp__a__${'x'.repeat(length - 8)}`);
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: text }, long), fc.boolean(), effects, (name, isOpen, effect) => {
        const rule = parse(`tool:${name}${isOpen ? '*' : ''}`, effect);
        if (rule?.kind !== 'tool') return;
        const found = possibleTools(rule.toolName).filter((tool) => findToolRule([rule], effect, tool) === rule);
        assert.notDeepEqual(found, []);
      }),
      { numRuns: 20_000 },
    );
  });

  it('about commands decide about a command', async () => {
    const words = [
      'npm',
      'test',
      'rm',
      '-rf',
      'a b',
      '*',
      '?',
      '[a]',
      '{a,b}',
      '~',
      '\\',
      '$x',
      '',
      '.',
      '..',
      '/',
      './x',
      'x/',
    ];
    const odd = [
      'cd',
      'if',
      'export',
      'time',
      'eval',
      'A=b',
      'a[0]=1',
      '!',
      '[',
      ']',
      '[[',
      'é',
      'a\nb',
      '\u202e',
      '%1',
      ';',
      '&&',
      '> x',
    ];
    const word = fc
      .tuple(fc.constantFrom(...words, ...odd), fc.boolean())
      .map(([text, isQuoted]) => (isQuoted ? quoteWord(text) : text));
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    await fc.assert(
      fc.asyncProperty(text, effects, async (written, effect) => {
        const rule = parse(written, effect);
        if (rule?.kind !== 'command') return;
        if (rule.argv.length === 0) return;
        // A rule about brackets is also one about `test`.
        const isClosed = rule.argv.length > 1 && rule.argv.at(-1) === ']';
        const argv = rule.argv[0] === '[' ? ['test', ...rule.argv.slice(1, isClosed ? -1 : undefined)] : rule.argv;
        const command = formatRule({ argv, isOpenEnded: false });
        const analysis = await parseCommand(command, 'bash', grammars);
        assert.equal(judgeCommand(analysis, { shell: 'bash', rules: commandRules([rule]) }).rule, rule, command);
      }),
      { numRuns: 5000 },
    );
  });

  it('are the only ones without a problem for people', () => {
    const given = ['edit:a[', 'edit:src\\a.ts', 'edit:**,!../x', 'tool:mcp__github', 'A=b npm test', 'if *'];
    const store = new RuleStore({
      userSettings: () => ({ allow: [], ask: [], deny: given }),
      onInternalError: (error) => assert.fail(String(error)),
    });
    assert.equal(store.problems.length, given.length, store.problems.join('\n'));
    for (const problem of store.problems)
      assert.match(problem, /^The rule ".*" .*\. Until then every (?:edit|tool|command) asks\.$/);
  });
});

function canExist(file: string): boolean {
  return file.split('/').every((name) => !/^\.{0,2}$|\p{Cc}/u.test(name));
}

/** Tools with the name or the beginning of a rule, named as the agent would name them. */
function possibleTools(rule: string): readonly string[] {
  const beginning = rule.replace(/\*$/, '');
  const ends = rule.endsWith('*') ? ['', 'x', '_x', '__x', 'x__x'] : [''];
  return [...workspaceToolNames, ...ends.map((end) => beginning + end).filter(canBeProvided)];
}

function canBeProvided(name: string): boolean {
  if (/^(?:ext|vscode)__[A-Za-z0-9_-]{1,57}$/.test(name)) return true;
  const splits = [...name.matchAll(/__/g)].map(
    ({ index }) => [name.slice('mcp__'.length, index), name.slice(index + 2)] as const,
  );
  return splits.some(([server, tool]) => {
    if (!isServerName(server) || tool === '') return false;
    return `${toolPrefix(server)}${tool}` === name && nameTools(server, [tool])[0] === name;
  });
}
