import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApprovablePlan } from '../../../../src/agent/approval/approvablePlan';
import { approveForExam, isCheckCommand } from '../../../../src/agent/exam/examApproval';
import type { GuardedPath } from '../../../../src/workspace/plans';

const place = (pathInRoot: string | null): GuardedPath => ({
  path: `/t/${pathInRoot}`,
  realPath: `/t/${pathInRoot}`,
  displayPath: pathInRoot ?? '/etc/x',
  pathInRoot,
  exists: true,
});
const command = (text: string, more: object = {}): ApprovablePlan => ({
  ...{ kind: 'command', command: text, cwd: place(''), timeoutMs: 1000 },
  ...more,
});
const edit = (pathInRoot: string | null): ApprovablePlan => ({
  ...{ kind: 'edit', operation: 'overwrite', target: place(pathInRoot), before: 'a', after: 'b', proposed: 'b' },
});

async function answer(plan: ApprovablePlan, isSensitive = false): Promise<string> {
  const request = { toolUseId: 't', toolName: 'any', plan, reason: 'why', isSensitive };
  return (await approveForExam(request, { signal: new AbortController().signal })).action;
}

describe('the approval of an exam', () => {
  it('accepts edits in the folder, and the check', async () => {
    assert.equal(await answer(edit('src/a.mjs')), 'allow');
    assert.equal(await answer(command('node check.mjs')), 'allow');
    assert.equal(await answer(command(' node ./check.mjs ')), 'allow');
  });

  it('denies edits outside and of files that decide what runs', async () => {
    assert.equal(await answer(edit(null)), 'deny');
    assert.equal(await answer(edit('.git/config'), true), 'deny');
  });

  it('denies the check elsewhere or in the background', async () => {
    assert.equal(await answer(command('node check.mjs', { cwd: place('src') })), 'deny');
    assert.equal(await answer(command('node check.mjs', { cwd: place(null) })), 'deny');
    assert.equal(await answer(command('node check.mjs', { isBackground: true })), 'deny');
  });

  it('denies everything else that asks', async () => {
    assert.equal(await answer({ kind: 'read', target: place('.env'), query: {} }), 'deny');
    assert.equal(await answer({ kind: 'mcp', server: 's', tool: 't', arguments: {}, isReadOnly: true }), 'deny');
    assert.equal(await answer({ kind: 'extension', extension: null, tool: 't', arguments: {} }), 'deny');
  });

  it('takes no other command for the check', () => {
    const pieces = fc.constantFrom(
      'node',
      ' ',
      'check.mjs',
      './',
      ';',
      '&&',
      '|',
      '>',
      '\n',
      '\t',
      '$(',
      '"',
      '-e',
      '../',
      'x',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (words) => {
        const text = words.join('');
        if (isCheckCommand(text)) assert.match(text, /^\s*node +(\.\/)?check\.mjs\s*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
