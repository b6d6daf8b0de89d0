import assert from 'node:assert/strict';
import type { SessionView, ViewItem } from '../../../src/agent/view/sessionView';
import { answer, prompt, sessionId, tool, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';

describe('the actions below the newest answer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  async function shown(items: readonly ViewItem[], rest: Partial<SessionView> = {}) {
    const panel = await webview.open();
    await panel.snapshot(view(items, rest));
    const names = await panel.page.locator('.answer-actions').getByRole('button').all();
    const labels = await Promise.all(
      names.map(async (name) => (await name.getAttribute('aria-label')) ?? name.innerText()),
    );
    return { panel, labels };
  }

  const both = ['Continue', 'Regenerate Answer'];
  const notice = (action: 'continue' | 'retry' | 'undoRestore'): ViewItem => {
    return { kind: 'notice', id: action, notice: { id: action, severity: 'info', message: 'x', actions: [action] } };
  };
  const stopped = tool({ id: 't', toolName: 'read_file', state: 'interrupted' });
  const cases: readonly [string, readonly ViewItem[], Partial<SessionView>, readonly string[]][] = [
    ['a whole answer', [prompt('Go'), answer('Done.')], {}, ['Regenerate Answer']],
    ['a stopped answer', [prompt('Go'), answer('Do', { cut: 'interrupted' })], {}, both],
    ['an answer at its token limit', [prompt('Go'), answer('Do', { cut: 'length' })], {}, both],
    ['a stop before the answer', [prompt('Go')], {}, ['Continue']],
    ['a stopped tool', [prompt('Go'), stopped], {}, both],
    ['a notice about files', [prompt('Go'), answer('Do', { cut: 'length' }), notice('undoRestore')], {}, both],
    ['a notice with Continue', [prompt('Go'), stopped, notice('continue')], {}, ['Regenerate Answer']],
    ['a notice with Retry', [prompt('Go'), notice('retry')], {}, []],
    ['a run', [prompt('Go'), answer('Do', { cut: 'length' })], { state: 'running' }, []],
    [
      'a session of another window',
      [prompt('Go'), answer('Do')],
      { readOnly: { why: 'elsewhere', canTakeOver: false } },
      [],
    ],
    ['an empty session', [], {}, []],
  ];
  for (const [name, items, rest, expected] of cases) {
    it(`fit ${name}`, async () => assert.deepEqual((await shown(items, rest)).labels, expected));
  }

  it('go on, and make the answer to the newest prompt again', async () => {
    const steering = { ...prompt('And tests'), isSteering: true } as const;
    const { panel } = await shown([prompt('First'), prompt('Go'), steering, answer('Do', { cut: 'interrupted' })]);
    await panel.page.getByRole('button', { name: 'Continue' }).press('Enter');
    await panel.page.getByRole('button', { name: 'Regenerate Answer' }).press('Enter');
    assert.deepEqual(await panel.intents(), [
      { type: 'continue', sessionId },
      { type: 'regenerate', sessionId, promptId: prompt('Go').id },
    ]);
  });
});
