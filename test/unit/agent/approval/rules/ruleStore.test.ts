import assert from 'node:assert/strict';
import { formatPermissionRule } from '../../../../../src/agent/approval/rules/permissionRules';
import {
  noRules,
  readRuleTexts,
  RuleStore,
  type RuleTexts,
  type StoredRule,
} from '../../../../../src/agent/approval/rules/ruleStore';

function memory(value?: unknown) {
  return {
    value,
    read(): unknown {
      return this.value;
    },
    async write(rules: readonly StoredRule[]): Promise<void> {
      this.value = rules;
    },
  };
}

function storeOf(parts: {
  readonly memory?: ReturnType<typeof memory>;
  readonly user?: Partial<RuleTexts>;
  readonly files?: Partial<RuleTexts>;
}): RuleStore {
  return new RuleStore({
    memory: parts.memory,
    userSettings: () => ({ ...noRules, ...parts.user }),
    workspaceFiles: () => ({ ...noRules, ...parts.files }),
    onInternalError: (error) => assert.fail(String(error)),
  });
}

function texts(store: RuleStore, sessionId = 's'): readonly string[] {
  return store.rulesFor(sessionId).map((rule) => `${rule.effect} ${formatPermissionRule(rule)} (${rule.origin})`);
}

describe('rule store', () => {
  it('merges the rules of all sources', () => {
    const store = storeOf({
      memory: memory(['npm test']),
      user: { allow: ['make'], deny: ['rm *'] },
      files: { ask: ['edit:docs/**'] },
    });
    assert.deepEqual(texts(store), [
      'allow npm test (workspace)',
      'deny rm * (user)',
      'allow make (user)',
      'ask edit:docs/** (workspaceFile)',
    ]);
    assert.deepEqual(store.problems, []);
  });

  it('keeps a rule from a card for the session in that session', async () => {
    const store = storeOf({});
    await store.allow({ rules: ['npm test', 'npm test'] }, 'session', 'one');
    assert.deepEqual([texts(store, 'one'), texts(store, 'two')], [['allow npm test (session)'], []]);
    assert.deepEqual(store.list(), [{ text: 'npm test', effect: 'allow', origin: 'session', sessionId: 'one' }]);
    await store.remove(store.list()[0]!);
    assert.deepEqual(texts(store, 'one'), []);
  });

  it('keeps a rule from a card for the workspace until it is removed', async () => {
    const kept = memory();
    const store = storeOf({ memory: kept });
    let changes = 0;
    store.onChange(() => (changes += 1));
    await store.allow({ rules: ['npm test'] }, 'workspace', 'one');
    await store.allow({ rules: ['npm test', 'make'] }, 'workspace', 'two');
    assert.deepEqual(kept.value, ['npm test', 'make']);
    await store.remove({ text: 'npm test', effect: 'allow', origin: 'workspace' });
    assert.deepEqual(
      [kept.value, texts(storeOf({ memory: kept })), changes],
      [['make'], ['allow make (workspace)'], 3],
    );
  });

  it('keeps a rule for the real folder it was given in, and the same words for another folder', async () => {
    const kept = memory(['npm test', { rule: 'make', folder: 3 }, 7]);
    const store = storeOf({ memory: kept });
    await store.allow({ rules: ['npm test'], folder: '/w/a' }, 'workspace', 'one');
    await store.allow({ rules: ['npm test'], folder: '/w/a' }, 'workspace', 'one');
    await store.allow({ rules: ['npm test'], folder: '/w/b' }, 'session', 'one');
    const folders = (of: RuleStore) => of.rulesFor('one').map((rule) => rule.kind === 'command' && rule.folder);
    assert.deepEqual(folders(store), ['/w/b', undefined, '/w/a']);
    assert.deepEqual(kept.value, ['npm test', { rule: 'npm test', folder: '/w/a' }]);
    for (const rule of store.list()) if (rule.folder !== undefined) await store.remove(rule);
    assert.deepEqual([folders(store), kept.value], [[undefined], ['npm test']]);
  });

  it('offers no workspace to keep anything for where there is no memory', () => {
    assert.deepEqual(storeOf({}).ofSession('s').scopes, ['session']);
    assert.deepEqual(storeOf({ memory: memory() }).ofSession('s').scopes, ['session', 'workspace']);
  });

  it('shows allow rules of workspace files, and does not use them', () => {
    const store = storeOf({ files: { allow: ['*', 'edit:**'] } });
    assert.deepEqual(texts(store), []);
    assert.deepEqual(
      store.list().map(({ text, problem }) => [text, problem?.includes('is ignored')]),
      [
        ['*', true],
        ['edit:**', true],
      ],
    );
    assert.deepEqual(store.problems, []);
  });

  it('has every command ask when a rule that restricts cannot be understood', () => {
    for (const effect of ['deny', 'ask'] as const) {
      const store = storeOf({ user: { [effect]: ['rm; ls'] } });
      assert.deepEqual(texts(store), ['ask * (user)']);
      assert.match(store.problems[0] ?? '', /"rm; ls" .*Until then every command asks\./);
    }
    const allowing = storeOf({ user: { allow: ['rm; ls'] } });
    assert.deepEqual([texts(allowing), allowing.problems.length], [[], 1]);
  });

  it('has every edit or tool ask when a rule about those cannot be understood', () => {
    for (const effect of ['deny', 'ask'] as const) {
      const edits = storeOf({ user: { [effect]: ['edit:!secret/**'] } });
      assert.deepEqual(texts(edits), ['ask edit:** (user)']);
      assert.match(edits.problems[0] ?? '', /names no files.* Until then every edit asks\.$/);
      assert.deepEqual(texts(storeOf({ user: { [effect]: ['Edits: secret/**'] } })), ['ask edit:** (user)']);
      assert.deepEqual(texts(storeOf({ user: { [effect]: ['Tool:read_file'] } })), ['ask tool:* (user)']);
      assert.deepEqual(texts(storeOf({ user: { [effect]: ['bash:rm'] } })), ['ask * (user)']);
      const tools = storeOf({ files: { [effect]: ['tool:run_teminal_command'] } });
      assert.deepEqual(texts(tools), ['ask tool:* (workspaceFile)']);
      assert.match(tools.problems[0] ?? '', /names no tool there is.*run_terminal_command.*every tool asks\.$/);
    }
  });

  it('takes nothing of a memory that is no list of texts', () => {
    for (const value of ['npm test', { 0: 'npm test' }, [1], null]) {
      assert.deepEqual(texts(storeOf({ memory: memory(value) })), [], JSON.stringify(value));
    }
  });

  it('reads settings of any shape, and loses no restriction silently', () => {
    assert.deepEqual(readRuleTexts(undefined), noRules);
    assert.deepEqual(readRuleTexts({ allow: ['a'], deny: 'rm *' }), { allow: ['a'], ask: [], deny: ['rm *'] });
    for (const raw of [{ deny: [7] }, { ask: { rm: true } }, 'deny everything', ['rm']]) {
      const store = storeOf({ user: readRuleTexts(raw) });
      assert.deepEqual(texts(store), ['ask * (user)'], JSON.stringify(raw));
    }
  });
});
