import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Gate } from '../../support/servers/gate';
import { createGate, type Turn } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('what waits for a person in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'a.ts': 'let a = 1;\n' },
    modelServer: { models: ['coder-7b'] },
    settings: { 'openAgent.maxToolIterations': 1 },
  });
  const chat = new Chat(() => window.workbench);
  const page = () => window.workbench.page;
  const item = () => page().locator('.statusbar-item[id*="openAgent"]');
  const badge = () =>
    page()
      .locator('.activitybar .action-item', { has: page().getByLabel(/Open Agent/) })
      .locator('.badge');
  /** Sends a prompt. Resolves when its answer is held at the gate. */
  const ask = async (prompt: string, gate: Gate, turn: Turn): Promise<void> => {
    await window.ask(prompt, turn);
    await gate.reached;
  };
  const untilWaits = async (words: string): Promise<void> => {
    await item().filter({ hasText: words }).waitFor();
    await badge().getByText('1', { exact: true }).waitFor();
  };

  it('has no place in the status bar before the panel was used, and one after that', async () => {
    assert.equal(await item().count(), 0);
    await chat.show();
    await chat.untilModel('coder-7b');
    await item().filter({ hasText: 'coder-7b' }).waitFor();
    assert.equal(await item().count(), 1);
  });

  it('is an edit of another session than the one on screen, which is told once', async () => {
    const gate = createGate();
    const edit = {
      name: 'apply_edit',
      arguments: { path: 'a.ts', edits: [{ old_text: 'a = 1', new_text: 'a = 2' }] },
    };
    await ask('Change it', gate, { text: ['Well.', gate], toolCalls: [edit] });
    await window.newSession();
    gate.open();
    const told = await window.workbench.notification('Open Agent waits for your decision: 1 edit.');
    await untilWaits('1 edit waits for you');
    // The question is asked again and again, but told once.
    await window.workbench.hideChat();
    await chat.show();
    await window.workbench.hideChat();
    await window.workbench.notification('1 edit');
    assert.equal(await page().locator('.notification-list-item').count(), 1);
    assert.deepEqual(await told.locator('.monaco-button').allInnerTexts(), ['Show']);
    await told.getByRole('button', { name: 'Show' }).click();
    await chat.title.filter({ hasText: 'Change it' }).waitFor();
    await chat.button('Accept').click();
    // Its only step is used.
    await untilWaits('1 stopped run waits for you');
    await window.workbench.screenshot('e2e-waits-limit-shown');
    await chat.button('Dismiss').click();
    await badge().waitFor({ state: 'hidden' });
    assert.equal(await window.read('a.ts'), 'let a = 2;\n');
  });

  for (const { kind, turn, says, waits } of [
    {
      kind: 'a limit',
      turn: (gate: Gate): Turn => ({
        text: ['Well.', gate],
        toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }],
      }),
      says: 'Open Agent has stopped before it was done.',
      waits: '1 stopped run waits for you',
    },
    {
      kind: 'an error',
      turn: (gate: Gate): Turn => ({
        kind: 'raw',
        writes: [gate, 'data: {"error":{"message":"The model ate it.","code":400}}\n\n'],
      }),
      says: 'Open Agent has stopped with an error.',
      waits: '1 error waits for you',
    },
  ])
    it(`is ${kind}, while the panel is hidden, and the status bar leads to it`, async () => {
      const gate = createGate();
      await ask(`Meet ${kind}`, gate, turn(gate));
      await window.workbench.hideChat();
      gate.open();
      const told = await window.workbench.notification(says);
      await untilWaits(waits);
      await window.workbench.screenshot(`e2e-waits-${kind.replace(' ', '-')}`);
      assert.deepEqual(await told.locator('.monaco-button').allInnerTexts(), ['Show']);
      await item().click();
      await chat.notices.waitFor();
      await chat.button('Dismiss').click();
      await badge().waitFor({ state: 'hidden' });
    });

  it('is nothing while it works: the status bar says what the model does', async () => {
    const [reading, writing, stalling, ending] = [createGate(), createGate(), createGate(), createGate()];
    const chunk = (more: object): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: null }], ...more })}\n\n`;
    const text = (content: string): string =>
      chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    const writes = [
      chunk({ prompt_progress: { total: 1000, cache: 0, processed: 430, time_ms: 500 } }),
      ...[reading, text('One '), writing, text('two three four five six. '), stalling, ending, text('Done.')],
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      'data: [DONE]\n\n',
    ];
    await window.ask('Take your time', { kind: 'raw', writes });
    await item().filter({ hasText: 'coder-7b: reading 43 %' }).waitFor();
    await window.workbench.screenshot('e2e-status-reading');
    reading.open();
    await item().filter({ hasText: 'coder-7b: writing' }).waitFor();
    // The speed is measured over a second at least.
    await delay(1_100);
    writing.open();
    await item()
      .filter({ hasText: /coder-7b: writing [\d.]+ tokens\/s/ })
      .waitFor();
    await window.workbench.screenshot('e2e-status-writing');
    stalling.open();
    await item().filter({ hasText: 'coder-7b: stalled' }).waitFor();
    await window.workbench.screenshot('e2e-status-stalled');
    ending.open();
    await window.untilAnswered('One two three four five six. Done.');
    await item()
      .filter({ hasText: /^\s*coder-7b\s*$/ })
      .waitFor();
  });
});
