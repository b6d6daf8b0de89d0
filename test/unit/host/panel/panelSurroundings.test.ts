import assert from 'node:assert/strict';
import * as z from 'zod';
import { defaultAgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { failure, response, textResponse, toolUse } from '../../../support/servers/scriptedProvider';
import { safetySample } from '../../../support/safetySample';
import { FakePanel } from '../../../support/panel/fakePanel';
import { soon, usePanelWindow } from '../../../support/panel/panelWindow';

describe('PanelController around a run', () => {
  const opened = usePanelWindow();

  it('shows background commands, stops one and shows its output', async () => {
    const panel = await opened.readyPanel();
    assert.deepEqual(panel.state.panel?.commands, []);
    const start = await opened.background.start({ command: 'npm start', cwd: '/w' });
    assert.ok(start.kind === 'running');
    opened.background.print(start.id, 'listening on 3000');
    const { id } = start;
    const shown = { id, command: 'npm start', startedMs: 1, lastLine: 'listening on 3000' };
    assert.deepEqual(panel.state.panel?.commands, [shown]);
    panel.send({ type: 'showCommandOutput', id });
    panel.send({ type: 'stopCommand', id });
    await soon(() => panel.state.panel?.commands.length === 0);
    assert.deepEqual(opened.did, [`output ${id}`]);
    panel.send({ type: 'stopCommand', id });
    assert.deepEqual(opened.errors, []);
  });

  it('passes a decision to its question, once', async () => {
    opened.provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Done.'));
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', text: 'List' });
    const approvalOf = () => panel.state.session?.items.find((item) => item.kind === 'tool')?.approval;
    await soon(() => {
      opened.schedule.run();
      return approvalOf() !== undefined;
    });
    const requestId = approvalOf()?.requestId ?? '';
    const sessionId = panel.state.session?.sessionId ?? '';
    panel.send({ type: 'approve', sessionId: 'another', requestId });
    await soon(() => opened.warnings.length === 1);
    panel.send({ type: 'deny', sessionId, requestId, reason: 'Not now.' });
    panel.send({ type: 'approve', sessionId, requestId });
    await (await opened.active()).whenIdle();
    opened.schedule.run();
    assert.equal(opened.warnings.length, 2);
    assert.match(panel.lines[1] ?? '', /^run denied: .*Not now\./s);
  });

  it('runs an approved command once, even when approved several times', async () => {
    const shape = z.object({ postMessage: z.object({ type: z.literal('approve') }), twice: z.literal(true) });
    const { postMessage } = safetySample('WV28', shape).input;
    opened.provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Done.'));
    const panel = await opened.readyPanel();
    panel.send({ type: 'submitPrompt', text: 'List' });
    const approvalOf = () => panel.state.session?.items.find((item) => item.kind === 'tool')?.approval;
    await soon(() => {
      opened.schedule.run();
      return approvalOf() !== undefined;
    });
    const sessionId = panel.state.session?.sessionId ?? '';
    const approval = { ...postMessage, sessionId, requestId: approvalOf()?.requestId ?? '' };
    panel.send(approval);
    panel.send(approval);
    await (await opened.active()).whenIdle();
    panel.send(approval);
    await soon(() => opened.warnings.length === 2);
    assert.deepEqual(opened.ran, ['ls']);
  });

  it('shows the set-up of a model, and steers it', async () => {
    const panel = await opened.readyPanel();
    assert.deepEqual(panel.state.panel?.setUp, { name: 'Qwen3 8B', text: 'paused', kind: 'paused' });
    panel.send({ type: 'steerSetUp', action: 'goOn' });
    await soon(() => opened.did.length > 0);
    assert.deepEqual(opened.did, ['set-up goOn']);
  });

  it('shows the MCP servers with their prompts and resources', async () => {
    const panel = await opened.readyPanel();
    assert.deepEqual(panel.state.panel?.mcpServers, []);
    const summary = { name: 'docs', description: '"x"', hasNewTools: false } as const;
    opened.mcp.change([
      { ...summary, state: { kind: 'failed', reason: 'It ended.' } },
      { ...summary, name: 'other', state: { kind: 'connected' }, hasNewTools: true },
      { ...summary, name: 'new', state: { kind: 'needs_consent', isRefused: false } },
      { ...summary, name: 'never', state: { kind: 'needs_consent', isRefused: true } },
    ]);
    assert.deepEqual(panel.state.panel.mcpServers, [
      { name: 'docs', state: 'failed', reason: 'It ended.' },
      { name: 'other', state: 'connected', hasNewTools: true },
      { name: 'new', state: 'needs_consent' },
      { name: 'never', state: 'off' },
    ]);
    const wanted = { name: 'who', description: '', isRequired: false };
    opened.mcp.available = {
      prompts: [{ server: 'docs', name: 'greet', description: 'Greets', arguments: [wanted] }],
      resources: [{ server: 'docs', uri: 'x://1', description: 'One' }],
    };
    panel.send({ type: 'listServerItems' });
    await soon(() => panel.state.serverItems !== undefined);
    assert.deepEqual(panel.state.serverItems, {
      prompts: [{ server: 'docs', name: 'greet', description: 'Greets', arguments: ['who?'] }],
      resources: opened.mcp.available.resources,
    });
  });

  it('checks the server on demand, until the person goes to a conversation', async () => {
    const panel = await opened.readyPanel();
    const shown = () => panel.state.panel?.doctor;
    opened.controller.checkServer();
    // No server exists here.
    await soon(() => shown()?.state === 'finished');
    assert.deepEqual(
      shown()
        ?.checks.map(({ id, status }) => `${id}: ${status}`)
        .slice(0, 2),
      ['server: problem', 'model: skipped'],
    );
    panel.send({ type: 'closeDoctor' });
    assert.equal(shown(), undefined);
    panel.send({ type: 'startDoctor' });
    panel.send({ type: 'stopDoctor' });
    await soon(() => shown()?.state === 'stopped');
    await opened.converse(panel, 'Hi', textResponse('Hello!'));
    assert.equal(shown(), undefined);
    panel.send({ type: 'openSetting', setting: 'openAgent.baseUrl' });
    assert.deepEqual(opened.did, ['setting openAgent.baseUrl']);
  });

  it('shows an error with its remedies, and repeats the prompt on demand', async () => {
    const panel = await opened.readyPanel();
    const error = { code: 'server_error', message: 'http://localhost:1 answered 500.' } as const;
    await opened.converse(panel, 'Hi', failure(error));
    assert.deepEqual(panel.lines, [
      'prompt: Hi',
      'notice [retry, checkServer, showLog]: http://localhost:1 answered 500.',
    ]);
    opened.provider.add(textResponse('Hello!'));
    panel.send({ type: 'retry', sessionId: panel.state.session?.sessionId ?? '' });
    await soon(() => opened.isRunning);
    await (await opened.active()).whenIdle();
    opened.schedule.run();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('tells which files an answer names, and then which symbols', async () => {
    const panel = await opened.readyPanel();
    panel.send({ type: 'findPlaces', names: ['cart.js', 'total'] });
    const told = () => panel.heard.flatMap((message) => (message.type === 'places_found' ? [message.places] : []));
    await soon(() => told().length === 2);
    assert.deepEqual(told(), [
      [{ name: 'cart.js', path: 'src/cart.js' }],
      [{ name: 'total', path: 'src/cart.js', line: 7 }],
    ]);
  });

  it('chooses mode, profile and agent for this workspace, and shows the choices and problems', async () => {
    opened.agentSettings = {
      ...defaultAgentSettings,
      profiles: [{ id: 'gpu', baseUrl: 'http://gpu', model: 'big' }],
      agents: [{ id: 'reader', description: 'Reads' }],
    };
    const panel = new FakePanel(opened.controller);
    panel.send({ type: 'ready' });
    await opened.controller.settled();
    panel.send({ type: 'selectAgent', agent: 'reader' });
    await soon(() => panel.state.panel?.agent.agent === 'reader');
    panel.send({ type: 'selectProfile', profile: 'gpu' });
    await soon(() => panel.state.panel?.agent.profile === 'gpu');
    panel.send({ type: 'selectMode', mode: 'plan' });
    await soon(() => panel.state.panel?.agent.mode === 'plan');
    assert.deepEqual(panel.state.panel?.agent, {
      mode: 'plan',
      modes: ['plan', 'ask', 'acceptEdits'],
      profiles: [{ id: 'gpu', detail: 'big at http://gpu' }],
      agents: [{ id: 'reader', detail: 'Reads' }],
      profile: 'gpu',
      agent: 'reader',
      problems: ['Setting openAgent.profiles: Profile "x": model: missing.', 'The rule "*" would allow everything.'],
    });
  });
});
