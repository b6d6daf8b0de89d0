import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { useChatWindow } from '../../support/window/chatWindow';

describe('plan mode', () => {
  const window = useChatWindow({ files: { 'a.txt': 'a\n' } });

  it('ends with "Do It", which changes the mode and lets the agent go on', async () => {
    const { panel, workbench } = window;
    const plan = panel.getByRole('region', { name: 'Plan', exact: true });
    await window.ask('Hello', { text: 'Hello.' });
    await window.untilAnswered('Hello.');
    assert.equal(await plan.count(), 0);

    await window.button('Mode: Ask').click();
    await panel.getByRole('menuitemradio', { name: 'Plan' }).click();
    await window.button('Mode: Plan').waitFor();
    await window.ask('Add new.txt', { text: 'I would create `new.txt` with one line.' });
    await window.untilAnswered('I would create new.txt with one line.');
    await plan.getByText('Carry out this plan?').waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`e2e-plan-do-it-${theme}`);
    }
    const write = { name: 'write_file', arguments: { path: 'new.txt', content: 'x\n' } };
    window.expect({ toolCalls: [write] }, { text: 'Written.' });
    await plan.getByRole('button', { name: 'Do It' }).click();
    await window.button('Mode: Ask').waitFor();
    await window.card('Create new.txt').getByRole('button', { name: 'Accept', exact: true }).waitFor();
    assert.equal(existsSync(path.join(window.folder, 'new.txt')), false);
    await window.card('Create new.txt').getByRole('button', { name: 'Accept', exact: true }).click();
    await window.untilAnswered('Written.');
    assert.equal(await window.read('new.txt'), 'x\n');
    assert.equal(await plan.count(), 0);
    const { messages } = (await window.request(1)).body;
    assert.match(messages.at(-1)?.content ?? '', /^\[Mode: ask\. .*\n\nCarry out the plan\.$/);
  });
});
