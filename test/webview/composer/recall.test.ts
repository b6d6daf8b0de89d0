import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recalled, takePrompts, takeTyped, unsentText, walk } from '../../../src/webview/state/recall';
import { initialState, receive, type WebviewState } from '../../../src/webview/state/webviewState';
import { prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel } from '../support/webviewPage';

const earlier = ['Newest', 'First line\nsecond line', 'Oldest'];

describe('the earlier prompts in the composer', function () {
  this.timeout(120_000);
  const webview = useWebview();

  it('are walked through with Up and Down, and the draft comes back', async () => {
    const panel = await webview.open();
    const field = panel.page.getByLabel('Message to Open Agent');
    await panel.snapshot(view([]));
    await field.fill('draft');
    await field.press('Home');
    await field.press('ArrowUp');
    assert.deepEqual(
      (await panel.intents()).filter(({ type }) => type === 'listPrompts'),
      [{ type: 'listPrompts' }],
    );
    await panel.send({ type: 'prompts_listed', prompts: earlier });
    assert.equal(await field.inputValue(), 'Newest');
    assert.equal(await panel.page.getByText('Earlier prompt 1 of 3').count(), 1);
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    await field.press('ArrowUp');
    assert.equal(await field.inputValue(), 'Oldest');
    await field.press('ArrowDown');
    await field.press('ArrowUp');
    await field.press('ArrowDown');
    assert.equal(await field.inputValue(), earlier[1]);
    await field.press('ArrowUp');
    assert.equal(await field.inputValue(), earlier[1], 'inside a text the key moves the caret');
    await field.press('End');
    await field.press('ArrowDown');
    await field.press('End');
    await field.press('ArrowDown');
    assert.equal(await field.inputValue(), 'Newest');
    await field.press('ArrowDown');
    assert.equal(await field.inputValue(), 'draft');
    await field.press('ArrowDown');
    assert.equal(await field.inputValue(), 'draft');
    const kept = (await panel.allIntents()).flatMap((intent) => (intent.type === 'saveDraft' ? [intent.text] : []));
    assert.deepEqual([...new Set(kept)], ['draft'], 'the draft stays the unsent text');
  });

  it('are sent with Enter; then the draft comes back', async () => {
    const panel = await webview.open();
    const field = panel.page.getByLabel('Message to Open Agent');
    await panel.snapshot(view([prompt('Newest')]));
    await field.fill('draft');
    await field.press('Home');
    await field.press('ArrowUp');
    await panel.send({ type: 'prompts_listed', prompts: earlier });
    await field.press('Enter');
    await panel.events(sessionId, { type: 'prompt_added', id: 'p', text: 'Newest', contextLabels: [], ts: 0 });
    assert.equal(await field.inputValue(), 'draft');
  });

  it('do not replace what was typed before they arrived', async () => {
    const panel = await webview.open();
    const field = panel.page.getByLabel('Message to Open Agent');
    await panel.snapshot(view([]));
    await field.press('ArrowUp');
    await field.pressSequentially('typed');
    await panel.send({ type: 'prompts_listed', prompts: earlier });
    assert.equal(await field.inputValue(), 'typed');
    await field.fill('');
    await field.press('Shift+ArrowUp');
    await field.press('ArrowDown');
    assert.equal((await panel.intents()).filter(({ type }) => type === 'listPrompts').length, 1);
  });

  it('never lose a typed text, in any order of keys', () => {
    const texts = fc.array(fc.constantFrom(...earlier, 'typed 1', 'other'), { maxLength: 4 });
    const action = fc.oneof(
      fc.constantFrom('older' as const, 'newer' as const),
      fc.integer({ min: 0, max: 9 }).map((number) => ({ typed: `typed ${number}` })),
      texts.map((prompts) => ({ prompts })),
      fc.constant('sent' as const),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const panel = { ...readyPanel, activeSessionId: sessionId };
        let state: WebviewState = { ...initialState, panel, session: view([]) };
        for (const one of actions) {
          const before = state;
          // Typing replaces the text in the field, as a person means it.
          const replaced = recalled(before) || typeof one === 'string' || 'prompts' in one ? '' : before.draft;
          if (one === 'sent') {
            const text = state.draft.trim();
            const event = { type: 'prompt_added', id: 'p', text, contextLabels: [], ts: 0 } as const;
            const seq = state.lastSeq + 1;
            state = receive(
              { ...state, pendingPrompt: text },
              { type: 'session_events', seq, sessionId, events: [event] },
              0,
            );
            const rest = before.recall?.prompts ? before.recall.draft : '';
            assert.equal(state.draft, rest);
            continue;
          }
          if (one === 'older' || one === 'newer') {
            const mayWalk = !state.recall || !state.recall.prompts || recalled(state);
            if (mayWalk) state = walk(state, one);
          } else if ('typed' in one) state = takeTyped(state, one.typed);
          else state = takePrompts(state, one.prompts);
          for (const text of unsentText(before).split('\n\n'))
            assert.ok(text === replaced || unsentText(state).includes(text), `${text} is lost`);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
