import assert from 'node:assert/strict';
import { hold, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { soon, usePanelWindow } from '../../../support/panel/panelWindow';

describe('PanelController with prompts', () => {
  const opened = usePanelWindow();

  it('creates a session with the first prompt and shows the answer', async () => {
    const panel = await opened.readyPanel();
    await opened.converse(panel, 'Hi', textResponse('Hello!'));
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    assert.equal(panel.state.panel?.activeSessionId, panel.state.session?.sessionId);
    await soon(() => panel.state.panel?.sessions[0]?.title === 'Hi');
    assert.equal(opened.isRunning, false);
  });

  it('steers a running session', async () => {
    const gate = hold();
    opened.provider.add([gate, ...response([toolUse('t', 'run', { command: 'ls' })])], textResponse('Done.'));
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Go' });
    await gate.reached;
    const sessionId = (await opened.active()).id;
    panel.send({ type: 'submitPrompt', sessionId, text: 'And quickly' });
    await soon(() => opened.controller.settled().then(() => true));
    opened.schedule.run();
    assert.deepEqual(panel.lines.slice(0, 2), ['prompt: Go']);
    const [waiting] = panel.state.session?.waiting ?? [];
    assert.deepEqual([waiting?.text, waiting?.when], ['And quickly', 'next_step']);
    panel.send({ type: 'sendWaiting', sessionId, promptId: waiting!.id, when: 'after_run' });
    await soon(() => (opened.schedule.run(), panel.state.session?.waiting?.[0]?.when === 'after_run'));
    panel.send({ type: 'withdrawPrompt', sessionId, promptId: waiting!.id, isEdited: true });
    await soon(() => (opened.schedule.run(), panel.state.session?.waiting === undefined));
    await soon(() => panel.state.draft === 'And quickly');
    panel.send({ type: 'stop', sessionId });
    await (await opened.active()).whenIdle();
  });

  it('returns a prompt that could not be sent', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', sessionId: 'no-such-session', text: 'Precious words' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.equal(panel.state.draft, 'Precious words');
    assert.match(panel.state.returnedMessage ?? '', /no-such-session/);
  });

  it('finds file names, and sends named files with the prompt', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'findFiles', typed: 'ap' });
    await soon(() => panel.state.foundFiles !== undefined);
    assert.deepEqual(panel.state.foundFiles, { typed: 'ap', names: ['src/ap.ts'] });
    await opened.converse(panel, 'See @a.ts', textResponse('Seen.'));
    const [item] = panel.state.session?.items ?? [];
    assert.deepEqual(item?.kind === 'prompt' && item.contextLabels, ['a.ts']);
    assert.deepEqual(opened.provider.requests[0]?.messages.at(-1)?.content, 'A.\n\nSee @a.ts');

    panel.send({ type: 'submitPrompt', text: 'And @secret' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.deepEqual(
      [panel.state.draft, panel.state.returnedMessage],
      ['And @secret', 'The message could not be sent: Not that one.'],
    );
  });

  it("sends named MCP resources with a prompt, and keeps the prompt until its session's file holds it", async () => {
    const panel = await opened.readyPanel();
    opened.mcp.prepared.set('See @docs:x', { kind: 'send', context: [{ label: '@docs:x', content: 'Held.' }] });
    panel.send({ type: 'saveDraft', text: 'See @docs:x' });
    await opened.converse(panel, 'See @docs:x', textResponse('Seen.'));
    assert.deepEqual(panel.state.session?.items[0], {
      kind: 'prompt',
      id: panel.state.session?.items[0]?.id,
      text: 'See @docs:x',
      contextLabels: ['@docs:x'],
      isSteering: false,
    });
    assert.deepEqual(opened.provider.requests[0]?.messages.at(-1)?.content, 'Held.\n\nSee @docs:x');
    assert.equal(opened.memory.get('openAgent.draft'), undefined);
  });

  it("returns the text of a server's prompt in place of its name, and sends nothing", async () => {
    const panel = await opened.readyPanel();
    opened.mcp.prepared.set('/docs:greet', { kind: 'show', text: 'Greet Ada', from: '/docs:greet' });
    panel.send({ type: 'saveDraft', text: '/docs:greet ' });
    panel.state = { ...panel.state, draft: '/docs:greet ', pendingPrompt: '/docs:greet' };
    panel.send({ type: 'submitPrompt', text: '/docs:greet' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.deepEqual(
      [panel.state.draft, panel.state.pendingPrompt, panel.state.session, opened.memory.get('openAgent.draft')],
      ['Greet Ada', undefined, undefined, 'Greet Ada'],
    );
    assert.match(panel.state.returnedMessage ?? '', /The MCP server made this text from \/docs:greet/);
  });

  it('lists commands, and sends what a command means with the prompt as it was typed', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'listCommands' });
    await soon(() => panel.state.commands !== undefined);
    assert.deepEqual(panel.state.commands, [{ name: 'explain', detail: 'explain it' }]);
    await opened.converse(panel, '/explain', textResponse('Explained.'));
    assert.deepEqual(opened.provider.requests[0]?.messages.at(-1)?.content, 'B. Explain it.\n\n/explain');
    assert.deepEqual(panel.lines[0], 'prompt: /explain');
  });

  it('does what a command asks for and empties the composer, or says why not', async () => {
    const panel = await opened.readyPanel();
    const submit = async (text: string) => {
      panel.send({ type: 'saveDraft', text });
      panel.state = { ...panel.state, draft: text, pendingPrompt: text };
      panel.send({ type: 'submitPrompt', text });
      await soon(() => panel.state.pendingPrompt === undefined);
      const { draft, returnedMessage } = panel.state;
      return [draft, returnedMessage, opened.memory.get('openAgent.draft')];
    };
    assert.deepEqual(await submit('/commit'), ['', undefined, undefined]);
    assert.deepEqual(await submit('/compact'), ['/compact', 'There is nothing to compact.', '/compact']);
    assert.deepEqual(await submit('/asks'), ['/asks', undefined, '/asks']);
    assert.deepEqual(
      [opened.did, opened.provider.requests, panel.state.session],
      [['commit', 'compact'], [], undefined],
    );
  });

  it("leaves a server's prompt in the composer when it fails or its arguments are missing", async () => {
    const panel = await opened.readyPanel();
    opened.mcp.prepared.set('@docs:gone', new Error('The MCP server docs failed: no'));
    opened.mcp.prepared.set('/docs:greet', { kind: 'given_up' });
    panel.state = { ...panel.state, draft: '@docs:gone', pendingPrompt: '@docs:gone' };
    panel.send({ type: 'submitPrompt', text: '@docs:gone' });
    await soon(() => panel.state.pendingPrompt === undefined);
    assert.deepEqual(
      [panel.state.draft, panel.state.returnedMessage],
      ['@docs:gone', 'The message could not be sent: The MCP server docs failed: no'],
    );
    panel.state = { ...panel.state, draft: '/docs:greet', pendingPrompt: '/docs:greet' };
    panel.send({ type: 'submitPrompt', text: '/docs:greet' });
    await soon(() => panel.state.pendingPrompt === undefined);
    assert.deepEqual([panel.state.draft, panel.state.returnedMessage], ['/docs:greet', undefined]);
    assert.equal(opened.provider.requests.length, 0);
  });

  it('keeps an unsent prompt beside newly typed text, even while hidden', async () => {
    const panel = await opened.readyPanel();
    const countBefore = opened.typedCount;
    panel.send({ type: 'saveDraft', text: 'half a thought' });
    panel.send({ type: 'saveDraft', text: '' });
    panel.send({ type: 'saveDraft', text: 'half a thought' });
    // Typing starts what the prompt needs; clearing the field does not.
    assert.equal(opened.typedCount - countBefore, 2);
    panel.hide();
    await opened.controller.submitTyped({ text: 'Precious words' }, 'no-such-session');
    assert.equal((await opened.readyPanel()).state.draft, 'Precious words\n\nhalf a thought');
  });

  it("keeps a prompt until its session's file holds it, so a crash loses nothing", async () => {
    const panel = await opened.readyPanel();
    let find = (): void => {};
    const found = new Promise<void>((resolve) => (find = resolve));
    opened.beforeClient = () => found;
    opened.provider.add(textResponse('Hello!'));
    panel.send({ type: 'saveDraft', text: 'Hi' });
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => opened.isRunning);
    panel.send({ type: 'saveDraft', text: '' });
    await opened.controller.settled();
    assert.equal(opened.memory.get('openAgent.draft'), 'Hi');
    panel.send({ type: 'saveDraft', text: 'What else?' });
    assert.equal(opened.memory.get('openAgent.draft'), 'Hi\n\nWhat else?');
    find();
    await (await opened.active()).whenIdle();
    assert.equal(opened.memory.get('openAgent.draft'), 'What else?');
    panel.send({ type: 'saveDraft', text: '' });
    assert.equal(opened.memory.get('openAgent.draft'), undefined);
  });

  it('accepts prompts with a selection from commands', async () => {
    const panel = await opened.readyPanel();
    opened.provider.add(textResponse('It adds.'));
    await opened.controller.submit({ text: 'Explain', context: [{ label: 'a.ts:1', content: 'const a = 1 + 1;' }] });
    await (await opened.active()).whenIdle();
    opened.schedule.run();
    assert.deepEqual(panel.lines, ['prompt: Explain', 'text: It adds.']);
    assert.deepEqual(opened.provider.requests[0]?.messages, [{ role: 'user', content: 'const a = 1 + 1;\n\nExplain' }]);
  });

  it('gives the prompt of a command a session of its own', async () => {
    const panel = await opened.readyPanel();
    opened.provider.add(textResponse('One.'), textResponse('Two.'));
    await opened.controller.submitTyped({ text: 'Typed' }, undefined);
    const first = await opened.active();
    // It is idle before the run has begun, too.
    await soon(() => (opened.schedule.run(), panel.lines.at(-1) === 'text: One.'));
    await first.whenIdle();
    await opened.controller.submit({ text: 'Explain' });
    const second = await opened.active();
    await second.whenIdle();
    await soon(() => (opened.schedule.run(), panel.lines.at(-1) === 'text: Two.'));
    assert.notEqual(second.id, first.id);
    assert.deepEqual(panel.lines, ['prompt: Explain', 'text: Two.']);
    assert.equal(panel.heard.filter(({ type }) => type === 'snapshot').length, 1);
    assert.deepEqual(opened.provider.requests[1]?.messages, [{ role: 'user', content: 'Explain' }]);
  });

  it('carries out a plan: leaves plan mode before it tells the agent to begin', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'selectMode', mode: 'plan' });
    await soon(() => panel.state.panel?.agent.mode === 'plan');
    await opened.converse(panel, 'Plan it', textResponse('First a, then b.'));
    for (const [answer, before, after] of [
      ['Begun.', 'plan', 'ask'],
      ['Begun again.', 'acceptEdits', 'acceptEdits'],
    ] as const) {
      panel.send({ type: 'selectMode', mode: before });
      await soon(() => panel.state.panel?.agent.mode === before);
      opened.provider.add(textResponse(answer));
      panel.send({ type: 'carryOutPlan', sessionId: panel.state.session?.sessionId ?? '' });
      await soon(() => opened.isRunning);
      await (await opened.active()).whenIdle();
      opened.schedule.run();
      assert.equal(panel.state.panel?.agent.mode, after);
      assert.deepEqual(panel.lines.slice(-2), ['prompt: Carry out the plan.', `text: ${answer}`]);
    }
  });
});
