import assert from 'node:assert/strict';
import * as z from 'zod';
import { FileClaims } from '../../../../src/agent/session/fileClaims';
import { defaultAgentSettings, type AgentSettings } from '../../../../src/agent/configuration/agentSettings';
import { SessionRegistry } from '../../../../src/agent/session/sessionRegistry';
import { Emitter } from '../../../../src/util/emitter';
import { VscodeApprover } from '../../../../src/host/approvals/vscodeApprover';
import type { HunkChange } from '../../../../src/host/diffPreview/editPreview';
import { PanelController } from '../../../../src/host/panel/panelController';
import { Panels } from '../../../../src/host/panel/panels';
import type { PanelBadge, PanelPort } from '../../../../src/host/panel/page/panelPage';
import { openModelAccess } from '../../../../src/agent/servers/access/modelAccess';
import { ModelSelection } from '../../../../src/agent/servers/access/modelSelection';
import { ServerConnection } from '../../../../src/agent/servers/access/serverConnection';
import { ServerDoctor } from '../../../../src/agent/servers/doctor/serverDoctor';
import { AgentSelection } from '../../../../src/host/settings/agentSelection';
import type { FromWebview } from '../../../../src/protocol/fromWebview';
import type { ToWebview } from '../../../../src/protocol/toWebview';
import { Client } from '../../../../src/sdk/client';
import { tool } from '../../../../src/sdk/tool';
import { initialState, receive, type WebviewState } from '../../../../src/webview/state/webviewState';
import { ManualSchedule } from '../../../support/manualSchedule';
import { FakeMcp } from '../../../support/servers/fakeMcp';
import { FakeBackgroundCommands } from '../../../support/commands/fakeBackgroundCommands';
import { MemoryOfWorkspace } from '../../../support/sessions/memoryOfWorkspace';
import {
  failure,
  hold,
  response,
  ScriptedProvider,
  textResponse,
  toolUse,
  type Script,
} from '../../../support/servers/scriptedProvider';
import { outline } from '../../../support/sessions/sessions';
import { safetySample } from '../../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/files/temporaryFolder';

/** The webview as the host sees it: folds all messages, and asks for a snapshot when one is missing. */
class FakePanel {
  readonly heard: ToWebview[] = [];
  state: WebviewState = initialState;
  readonly #controller: PanelController;
  readonly #port: PanelPort = {
    post: (message) => {
      // Copied, as on the way to another process.
      const copy = JSON.parse(JSON.stringify(message)) as ToWebview;
      this.heard.push(copy);
      this.state = receive(this.state, copy, 0);
    },
    showBadge: (badge) => (this.badge = badge),
    showTitle: (title) => (this.title = title),
  };
  badge: PanelBadge | undefined;
  title = '';

  constructor(controller: PanelController) {
    this.#controller = controller;
    controller.attach(this.#port);
  }

  send(intent: FromWebview): void {
    this.sendAnything(intent);
  }

  sendAnything(message: unknown): void {
    this.#controller.receive(this.#port, message);
  }

  hide(): void {
    this.#controller.setVisible(this.#port, false);
  }

  close(): void {
    this.#controller.detach(this.#port);
  }

  get lines(): readonly string[] {
    return this.state.session ? outline(this.state.session) : [];
  }
}

describe('PanelController', () => {
  let folder: TemporaryFolder;
  let memory: MemoryOfWorkspace;
  let schedule: ManualSchedule;
  let provider: ScriptedProvider;
  let registry: SessionRegistry;
  let approver: VscodeApprover;
  let panels: Panels;
  let controller: PanelController;
  let did: string[];
  /** The commands of the tool. */
  let ran: string[];
  let warnings: string[];
  let errors: unknown[];
  let isRunning: boolean;
  let typedCount = 0;
  let isFocused: boolean;
  let isWatched: boolean;
  /** What the chats revealed. */
  let revealed: string[];
  let background: FakeBackgroundCommands;
  let agentSettings: AgentSettings;
  /** Runs at the start of `createClient`. */
  let beforeClient: () => Promise<void>;

  beforeEach(async () => {
    mcp = new FakeMcp();
    folder = await createTemporaryFolder();
    memory = new MemoryOfWorkspace();
    [did, ran, warnings, errors] = [[], [], [], []];
    isRunning = false;
    isFocused = false;
    isWatched = false;
    revealed = [];
    background = new FakeBackgroundCommands();
    agentSettings = defaultAgentSettings;
    beforeClient = async () => {};
    openWindow();
  });

  afterEach(async () => {
    await closeWindow();
    await folder.dispose();
  });

  /** The fake MCP servers. */
  let mcp: FakeMcp;

  /** The prompt's text that going back returns. */
  let wordsThatComeBack: string | undefined;
  let goesBack = true;

  function openWindow(): void {
    schedule = new ManualSchedule();
    provider = new ScriptedProvider([]);
    // A list that is still read when its test has ended must not fail the next one.
    const ownErrors = errors;
    const onInternalError = (error: unknown): void => void ownErrors.push(error);
    approver = new VscodeApprover({
      preview: {
        open: async () => {},
        editedText: () => undefined,
        decideHunk: async () => [],
        onHunksChanged: new Emitter<HunkChange>(onInternalError).on,
        close: async () => {},
        isInReview: () => false,
      },
      isOnScreen: (id) => panels.isActive(id),
      onInternalError,
    });
    registry = new SessionRegistry({
      directory: folder.path,
      claims: new FileClaims(),
      workspace: null,
      approver,
      createClient: async ({ history, ask }) => {
        await beforeClient();
        const client = new Client({
          systemPrompt: 's',
          model: 'm',
          baseUrl: 'http://localhost:1',
          autoExecuteTools: true,
          provider,
          history,
          tools: [
            tool('run', 'Run', { command: 'string' }, ({ command }) => {
              ran.push(command);
              return `ran ${command}`;
            }),
          ],
          approvalHook: async ({ toolName, toolUseId, signal }) => {
            const cwd = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };
            const plan = { kind: 'command', command: 'ls', cwd, timeoutMs: 1 } as const;
            const decision = await ask({ toolUseId, toolName, plan, reason: 'Commands always ask' }, { signal });
            if (decision.action === 'allow') return { action: 'allow' };
            return { action: 'deny', reason: decision.action === 'deny' ? (decision.reason ?? 'no') : 'cancelled' };
          },
        });
        return { client };
      },
      onInternalError,
    });
    const ways = {
      settings: () => defaultAgentSettings,
      access: openModelAccess({ certificateAuthority: () => '' }),
      onInternalError,
    };
    const server = new ServerConnection({
      ...ways,
      selection: new ModelSelection({ memory, setting: () => '' }),
      setTimer: schedule.schedule,
      // Finds no server, even if one runs on this machine.
      ports: [],
    });
    const create: ConstructorParameters<typeof Panels>[0]['create'] = ({ memory: own, ...surroundings }) =>
      new PanelController({
        surroundings,
        registry,
        approver,
        server,
        doctor: new ServerDoctor({ ...ways, server, onLearned: () => {} }),
        local: {
          setUp: { name: 'Qwen3 8B', text: 'paused', kind: 'paused' },
          steerSetUp: (action) => void did.push(`set-up ${action}`),
          onChange: () => ({ dispose: () => {} }),
        },
        agents: new AgentSelection({
          memory,
          settings: () => agentSettings,
          forgetModel: async () => {},
          onInternalError,
        }),
        mcp,
        mentions: {
          async *findFiles(typed) {
            yield { names: [`src/${typed}.ts`], isPartial: false };
          },
          openFiles: () => [],
          findOthers: async () => [],
          findPlaces: async (names) =>
            names.filter((name) => name.includes('.')).map((name) => ({ name, path: `src/${name}` })),
          findSymbols: async (names) => names.map((name) => ({ name, path: 'src/cart.js', line: 7 })),
          read: async (text) => {
            if (text.includes('@secret')) throw new Error('Not that one.');
            return text.includes('@a.ts') ? [{ label: 'a.ts', content: 'A.' }] : [];
          },
          describe: async () => [],
        },
        nameDropped: (uris) => uris.map((uri) => uri.replace('file:///w/', '@')),
        pasted: { keep: async (name) => `@pasted:${name}` },
        context: {
          state: { chips: [], instructions: [], instructionsOff: [], counts: { errors: 0 } },
          lookAgain: () => {},
          follow: async (mentions) => void did.push(`follow ${mentions.join(' ')}`),
          refreshSoon: () => {},
          onChange: () => ({ dispose: () => {} }),
        },
        switchInstruction: async (id, isOn) => void did.push(`switch ${id} ${isOn ? 'on' : 'off'}`),
        slashCommands: {
          list: async () => [{ name: 'explain', detail: 'explain it' }],
          async expand(text) {
            if (text === '/explain') return { kind: 'send', context: [{ label: 'b.ts', content: 'B. Explain it.' }] };
            if (text === '/commit' || text === '/compact')
              return { kind: 'do', command: text.slice(1) as 'commit', words: '' };
            return { kind: text === '/asks' ? 'given_up' : 'none' };
          },
          async run({ command }) {
            did.push(command);
            return command === 'compact' ? 'There is nothing to compact.' : undefined;
          },
        },
        ruleProblems: () => ['The rule "*" would allow everything.'],
        reviewEdits: async () => {
          did.push('review');
          return true;
        },
        reviewRun: async (changes) => void did.push(`review ${changes.length} files`),
        reviewProposedEdits: async (sessionId) => {
          did.push(`review proposed ${sessionId}`);
          return true;
        },
        settingProblems: () => [{ setting: 'profiles', message: 'Profile "x": model: missing.' }],
        memory: own,
        restore: {
          restoreTo: async ({ view }, promptId) => {
            did.push(`restore ${view.sessionId} ${promptId}`);
            return wordsThatComeBack;
          },
          goBack: async () => goesBack,
          changesSince: async ({ view }, promptId) => {
            did.push(`changes ${view.sessionId} ${promptId}`);
            return [];
          },
          undoRun: async ({ view }, promptId) => {
            did.push(`undo run ${view.sessionId} ${promptId}`);
            return true;
          },
          undoRepair: async ({ view }, noticeId) => {
            did.push(`undo repair ${view.sessionId} ${noticeId}`);
            return true;
          },
          undo: async ({ view }, entryId) => void did.push(`undo ${view.sessionId} ${entryId}`),
        },
        background,
        onTyping: () => (typedCount += 1),
        codeBlocks: { use: async ({ use, code, path }) => void did.push(`${use} ${code} ${path}`) },
        actions: {
          showCommandOutput: async (id) => void did.push(`output ${id}`),
          openFile: async (file, line) => void did.push(`open ${file}:${line}`),
          copyText: async (text) => void did.push(`copy ${text}`),
          openLink: async (href, text) => void did.push(`link ${text} ${href}`),
          runCommand: async (command) => void did.push(`run ${command}`),
          runSessionAction: async (action, id) => void did.push(`${action} ${id}`),
          showError: (message) => void did.push(`error ${message}`),
          changeLoaded: async (model, isLoaded) => void did.push(`${isLoaded ? 'load' : 'unload'} ${model}`),
          openSetting: async (setting) => void did.push(`setting ${setting}`),
        },
        forgetQuirks: () => void did.push('forget'),
        trySandbox: () => {},
        isTrusted: () => true,
        hasFolder: () => true,
        schedule: schedule.schedule,
        log: { warn: (message) => void warnings.push(message), error: onInternalError },
      });
    panels = new Panels({
      memory,
      create,
      revealSideBar: async () => void revealed.push('side bar'),
      setWatched: (value) => (isWatched = value),
      showRunning: (value) => (isRunning = value),
      showFocused: (value) => (isFocused = value),
    });
    controller = panels.sideBar;
  }

  async function closeWindow(): Promise<void> {
    await registry.dispose();
    panels.dispose();
  }

  async function readyPanel(): Promise<FakePanel> {
    const panel = new FakePanel(controller);
    panel.send({ type: 'ready' });
    await soon(() => panel.state.panel !== undefined);
    return panel;
  }

  /** Sends a prompt and waits for the end of the run. */
  async function converse(panel: FakePanel, text: string, ...scripts: readonly Script[]): Promise<void> {
    provider.add(...scripts);
    panel.send({ type: 'submitPrompt', sessionId: panel.state.session?.sessionId, text });
    await soon(() => controller.settled().then(() => isRunning));
    await active().then((session) => session.whenIdle());
    schedule.run();
  }

  async function active(): ReturnType<SessionRegistry['open']> {
    const id = memory.get('openAgent.activeSession');
    assert.equal(typeof id, 'string');
    return registry.open(id as string);
  }

  /** Waits for a condition, one turn of the event loop at a time. */
  async function soon(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
  }

  it('shows background commands, stops one and shows its output', async () => {
    const panel = await readyPanel();
    assert.deepEqual(panel.state.panel?.commands, []);
    const start = await background.start({ command: 'npm start', cwd: '/w' });
    assert.ok(start.kind === 'running');
    background.print(start.id, 'listening on 3000');
    const { id } = start;
    const shown = { id, command: 'npm start', startedMs: 1, lastLine: 'listening on 3000' };
    assert.deepEqual(panel.state.panel?.commands, [shown]);
    panel.send({ type: 'showCommandOutput', id });
    panel.send({ type: 'stopCommand', id });
    await soon(() => panel.state.panel?.commands.length === 0);
    assert.deepEqual(did, [`output ${id}`]);
    panel.send({ type: 'stopCommand', id });
    assert.deepEqual(errors, []);
  });

  it('sends nothing before the page is ready, then everything', async () => {
    const panel = new FakePanel(controller);
    controller.stateChanged();
    assert.equal(panel.heard.length, 0);
    panel.send({ type: 'ready' });
    await soon(() => panel.heard.length > 0);
    assert.equal(panel.heard[0]?.type, 'snapshot');
    assert.deepEqual([panel.state.session, panel.state.draft], [undefined, '']);
  });

  it('tells key bindings that it has the focus, until the page loses it or is gone', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'focusChanged', isFocused: true });
    assert.equal(isFocused, true);
    panel.send({ type: 'focusChanged', isFocused: false });
    assert.equal(isFocused, false);
    panel.send({ type: 'focusChanged', isFocused: true });
    panel.hide();
    assert.equal(isFocused, false);
  });

  it('creates a session with the first prompt and shows the answer', async () => {
    const panel = await readyPanel();
    await converse(panel, 'Hi', textResponse('Hello!'));
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    assert.equal(panel.state.panel?.activeSessionId, panel.state.session?.sessionId);
    await soon(() => panel.state.panel?.sessions[0]?.title === 'Hi');
    assert.equal(isRunning, false);
  });

  it('numbers its messages without a gap', async () => {
    const panel = await readyPanel();
    await converse(panel, 'Hi', textResponse('Hello!'));
    const first = panel.heard[0]?.seq ?? 0;
    assert.deepEqual(
      panel.heard.map(({ seq }) => seq),
      panel.heard.map((_, index) => first + index),
    );
    assert.equal(panel.state.isOutOfSync, false);
  });

  it('keeps the conversation while the panel is hidden, and sends all of it when shown again', async () => {
    const gate = hold();
    provider.add([{ type: 'text_delta', block: 0, text: 'Hel' }, gate, ...textResponse('Hello!').slice(1)]);
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await gate.reached;
    await soon(() => {
      schedule.run();
      return panel.lines.length === 2;
    });
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hel']);
    panel.hide();
    const heardBefore = panel.heard.length;
    gate.release();
    await (await active()).whenIdle();
    schedule.run();
    assert.equal(panel.heard.length, heardBefore);
    panel.send({ type: 'ready' });
    await soon(() => panel.heard.length > heardBefore);
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('goes on with a new webview after the view was moved', async () => {
    const old = await readyPanel();
    await converse(old, 'Hi', textResponse('Hello!'));
    old.close();
    const panel = await readyPanel();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    old.send({ type: 'newSession' });
    await controller.settled();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('opens the last session and keeps the draft when the window comes back', async () => {
    const before = await readyPanel();
    await converse(before, 'Hi', textResponse('Hello!'));
    before.send({ type: 'saveDraft', text: 'half a thou' });
    await closeWindow();
    openWindow();
    const panel = await readyPanel();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
    assert.equal(panel.state.draft, 'half a thou');
  });

  it('starts empty when the last session is gone', async () => {
    await closeWindow();
    await memory.update('openAgent.activeSession', 'deleted');
    openWindow();
    const panel = await readyPanel();
    assert.equal(panel.state.session, undefined);
    assert.equal(warnings.length, 1);
  });

  it('switches between sessions', async () => {
    const panel = await readyPanel();
    await converse(panel, 'First', textResponse('One.'));
    const firstId = panel.state.session?.sessionId ?? '';
    panel.send({ type: 'newSession' });
    await soon(() => panel.state.session === undefined);
    await converse(panel, 'Second', textResponse('Two.'));
    assert.deepEqual(panel.lines, ['prompt: Second', 'text: Two.']);
    panel.send({ type: 'openSession', sessionId: firstId });
    await soon(() => panel.state.session?.sessionId === firstId);
    assert.deepEqual(panel.lines, ['prompt: First', 'text: One.']);
  });

  it('lets a session run on in the background and shows only the one on screen', async () => {
    const gate = hold();
    provider.add([gate, ...textResponse('Late.')]);
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Slow' });
    await gate.reached;
    const background = await active();
    panel.send({ type: 'newSession' });
    await soon(() => panel.state.session === undefined);
    assert.equal(isRunning, false);
    gate.release();
    await background.whenIdle();
    schedule.run();
    assert.equal(panel.state.session, undefined);
    assert.deepEqual(outline(background.view), ['prompt: Slow', 'text: Late.']);
  });

  it('steers a running session', async () => {
    const gate = hold();
    provider.add([gate, ...response([toolUse('t', 'run', { command: 'ls' })])], textResponse('Done.'));
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', text: 'Go' });
    await gate.reached;
    const sessionId = (await active()).id;
    panel.send({ type: 'submitPrompt', sessionId, text: 'And quickly' });
    await soon(() => controller.settled().then(() => true));
    schedule.run();
    assert.deepEqual(panel.lines.slice(0, 2), ['prompt: Go']);
    const [waiting] = panel.state.session?.waiting ?? [];
    assert.deepEqual([waiting?.text, waiting?.when], ['And quickly', 'next_step']);
    panel.send({ type: 'sendWaiting', sessionId, promptId: waiting!.id, when: 'after_run' });
    await soon(() => (schedule.run(), panel.state.session?.waiting?.[0]?.when === 'after_run'));
    panel.send({ type: 'withdrawPrompt', sessionId, promptId: waiting!.id, isEdited: true });
    await soon(() => (schedule.run(), panel.state.session?.waiting === undefined));
    await soon(() => panel.state.draft === 'And quickly');
    panel.send({ type: 'stop', sessionId });
    await (await active()).whenIdle();
  });

  it('passes a decision to its question, once', async () => {
    provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Done.'));
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', text: 'List' });
    const approvalOf = () => panel.state.session?.items.find((item) => item.kind === 'tool')?.approval;
    await soon(() => {
      schedule.run();
      return approvalOf() !== undefined;
    });
    const requestId = approvalOf()?.requestId ?? '';
    const sessionId = panel.state.session?.sessionId ?? '';
    panel.send({ type: 'approve', sessionId: 'another', requestId });
    await soon(() => warnings.length === 1);
    panel.send({ type: 'deny', sessionId, requestId, reason: 'Not now.' });
    panel.send({ type: 'approve', sessionId, requestId });
    await (await active()).whenIdle();
    schedule.run();
    assert.equal(warnings.length, 2);
    assert.match(panel.lines[1] ?? '', /^run denied: .*Not now\./s);
  });

  it('runs an approved command once, even when approved several times', async () => {
    const shape = z.object({ postMessage: z.object({ type: z.literal('approve') }), twice: z.literal(true) });
    const { postMessage } = safetySample('WV28', shape).input;
    provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Done.'));
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', text: 'List' });
    const approvalOf = () => panel.state.session?.items.find((item) => item.kind === 'tool')?.approval;
    await soon(() => {
      schedule.run();
      return approvalOf() !== undefined;
    });
    const sessionId = panel.state.session?.sessionId ?? '';
    const approval = { ...postMessage, sessionId, requestId: approvalOf()?.requestId ?? '' };
    panel.send(approval);
    panel.send(approval);
    await (await active()).whenIdle();
    panel.send(approval);
    await soon(() => warnings.length === 2);
    assert.deepEqual(ran, ['ls']);
  });

  it('returns a prompt that could not be sent', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'submitPrompt', sessionId: 'no-such-session', text: 'Precious words' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.equal(panel.state.draft, 'Precious words');
    assert.match(panel.state.returnedMessage ?? '', /no-such-session/);
  });

  it('shows the set-up of a model, and steers it', async () => {
    const panel = await readyPanel();
    assert.deepEqual(panel.state.panel?.setUp, { name: 'Qwen3 8B', text: 'paused', kind: 'paused' });
    panel.send({ type: 'steerSetUp', action: 'goOn' });
    await soon(() => did.length > 0);
    assert.deepEqual(did, ['set-up goOn']);
  });

  it('shows the MCP servers with their prompts and resources', async () => {
    const panel = await readyPanel();
    assert.deepEqual(panel.state.panel?.mcpServers, []);
    const summary = { name: 'docs', description: '"x"', hasNewTools: false } as const;
    mcp.change([
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
    mcp.available = {
      prompts: [{ server: 'docs', name: 'greet', description: 'Greets', arguments: [wanted] }],
      resources: [{ server: 'docs', uri: 'x://1', description: 'One' }],
    };
    panel.send({ type: 'listServerItems' });
    await soon(() => panel.state.serverItems !== undefined);
    assert.deepEqual(panel.state.serverItems, {
      prompts: [{ server: 'docs', name: 'greet', description: 'Greets', arguments: ['who?'] }],
      resources: mcp.available.resources,
    });
  });

  it('finds file names, and sends named files with the prompt', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'findFiles', typed: 'ap' });
    await soon(() => panel.state.foundFiles !== undefined);
    assert.deepEqual(panel.state.foundFiles, { typed: 'ap', names: ['src/ap.ts'] });
    await converse(panel, 'See @a.ts', textResponse('Seen.'));
    const [item] = panel.state.session?.items ?? [];
    assert.deepEqual(item?.kind === 'prompt' && item.contextLabels, ['a.ts']);
    assert.deepEqual(provider.requests[0]?.messages.at(-1)?.content, 'A.\n\nSee @a.ts');

    panel.send({ type: 'submitPrompt', text: 'And @secret' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.deepEqual(
      [panel.state.draft, panel.state.returnedMessage],
      ['And @secret', 'The message could not be sent: Not that one.'],
    );
  });

  it("sends named MCP resources with a prompt, and keeps the prompt until its session's file holds it", async () => {
    const panel = await readyPanel();
    mcp.prepared.set('See @docs:x', { kind: 'send', context: [{ label: '@docs:x', content: 'Held.' }] });
    panel.send({ type: 'saveDraft', text: 'See @docs:x' });
    await converse(panel, 'See @docs:x', textResponse('Seen.'));
    assert.deepEqual(panel.state.session?.items[0], {
      kind: 'prompt',
      id: panel.state.session?.items[0]?.id,
      text: 'See @docs:x',
      contextLabels: ['@docs:x'],
      isSteering: false,
    });
    assert.deepEqual(provider.requests[0]?.messages.at(-1)?.content, 'Held.\n\nSee @docs:x');
    assert.equal(memory.get('openAgent.draft'), undefined);
  });

  it("returns the text of a server's prompt in place of its name, and sends nothing", async () => {
    const panel = await readyPanel();
    mcp.prepared.set('/docs:greet', { kind: 'show', text: 'Greet Ada', from: '/docs:greet' });
    panel.send({ type: 'saveDraft', text: '/docs:greet ' });
    panel.state = { ...panel.state, draft: '/docs:greet ', pendingPrompt: '/docs:greet' };
    panel.send({ type: 'submitPrompt', text: '/docs:greet' });
    await soon(() => panel.state.returnedMessage !== undefined);
    assert.deepEqual(
      [panel.state.draft, panel.state.pendingPrompt, panel.state.session, memory.get('openAgent.draft')],
      ['Greet Ada', undefined, undefined, 'Greet Ada'],
    );
    assert.match(panel.state.returnedMessage ?? '', /The MCP server made this text from \/docs:greet/);
  });

  it('lists commands, and sends what a command means with the prompt as it was typed', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'listCommands' });
    await soon(() => panel.state.commands !== undefined);
    assert.deepEqual(panel.state.commands, [{ name: 'explain', detail: 'explain it' }]);
    await converse(panel, '/explain', textResponse('Explained.'));
    assert.deepEqual(provider.requests[0]?.messages.at(-1)?.content, 'B. Explain it.\n\n/explain');
    assert.deepEqual(panel.lines[0], 'prompt: /explain');
  });

  it('does what a command asks for and empties the composer, or says why not', async () => {
    const panel = await readyPanel();
    const submit = async (text: string) => {
      panel.send({ type: 'saveDraft', text });
      panel.state = { ...panel.state, draft: text, pendingPrompt: text };
      panel.send({ type: 'submitPrompt', text });
      await soon(() => panel.state.pendingPrompt === undefined);
      const { draft, returnedMessage } = panel.state;
      return [draft, returnedMessage, memory.get('openAgent.draft')];
    };
    assert.deepEqual(await submit('/commit'), ['', undefined, undefined]);
    assert.deepEqual(await submit('/compact'), ['/compact', 'There is nothing to compact.', '/compact']);
    assert.deepEqual(await submit('/asks'), ['/asks', undefined, '/asks']);
    assert.deepEqual([did, provider.requests, panel.state.session], [['commit', 'compact'], [], undefined]);
  });

  it("leaves a server's prompt in the composer when it fails or its arguments are missing", async () => {
    const panel = await readyPanel();
    mcp.prepared.set('@docs:gone', new Error('The MCP server docs failed: no'));
    mcp.prepared.set('/docs:greet', { kind: 'given_up' });
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
    assert.equal(provider.requests.length, 0);
  });

  it('keeps an unsent prompt beside newly typed text, even while hidden', async () => {
    const panel = await readyPanel();
    const countBefore = typedCount;
    panel.send({ type: 'saveDraft', text: 'half a thought' });
    panel.send({ type: 'saveDraft', text: '' });
    panel.send({ type: 'saveDraft', text: 'half a thought' });
    // Typing starts what the prompt needs; clearing the field does not.
    assert.equal(typedCount - countBefore, 2);
    panel.hide();
    await controller.submitTyped({ text: 'Precious words' }, 'no-such-session');
    assert.equal((await readyPanel()).state.draft, 'Precious words\n\nhalf a thought');
  });

  it("keeps a prompt until its session's file holds it, so a crash loses nothing", async () => {
    const panel = await readyPanel();
    let find = (): void => {};
    const found = new Promise<void>((resolve) => (find = resolve));
    beforeClient = () => found;
    provider.add(textResponse('Hello!'));
    panel.send({ type: 'saveDraft', text: 'Hi' });
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => isRunning);
    panel.send({ type: 'saveDraft', text: '' });
    await controller.settled();
    assert.equal(memory.get('openAgent.draft'), 'Hi');
    panel.send({ type: 'saveDraft', text: 'What else?' });
    assert.equal(memory.get('openAgent.draft'), 'Hi\n\nWhat else?');
    find();
    await (await active()).whenIdle();
    assert.equal(memory.get('openAgent.draft'), 'What else?');
    panel.send({ type: 'saveDraft', text: '' });
    assert.equal(memory.get('openAgent.draft'), undefined);
  });

  it('checks the server on demand, until the person goes to a conversation', async () => {
    const panel = await readyPanel();
    const shown = () => panel.state.panel?.doctor;
    controller.checkServer();
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
    await converse(panel, 'Hi', textResponse('Hello!'));
    assert.equal(shown(), undefined);
    panel.send({ type: 'openSetting', setting: 'openAgent.baseUrl' });
    assert.deepEqual(did, ['setting openAgent.baseUrl']);
  });

  it('shows an error with its remedies, and repeats the prompt on demand', async () => {
    const panel = await readyPanel();
    const error = { code: 'server_error', message: 'http://localhost:1 answered 500.' } as const;
    await converse(panel, 'Hi', failure(error));
    assert.deepEqual(panel.lines, [
      'prompt: Hi',
      'notice [retry, checkServer, showLog]: http://localhost:1 answered 500.',
    ]);
    provider.add(textResponse('Hello!'));
    panel.send({ type: 'retry', sessionId: panel.state.session?.sessionId ?? '' });
    await soon(() => isRunning);
    await (await active()).whenIdle();
    schedule.run();
    assert.deepEqual(panel.lines, ['prompt: Hi', 'text: Hello!']);
  });

  it('accepts prompts with a selection from commands', async () => {
    const panel = await readyPanel();
    provider.add(textResponse('It adds.'));
    await controller.submit({ text: 'Explain', context: [{ label: 'a.ts:1', content: 'const a = 1 + 1;' }] });
    await (await active()).whenIdle();
    schedule.run();
    assert.deepEqual(panel.lines, ['prompt: Explain', 'text: It adds.']);
    assert.deepEqual(provider.requests[0]?.messages, [{ role: 'user', content: 'const a = 1 + 1;\n\nExplain' }]);
  });

  it('gives the prompt of a command a session of its own', async () => {
    const panel = await readyPanel();
    provider.add(textResponse('One.'), textResponse('Two.'));
    await controller.submitTyped({ text: 'Typed' }, undefined);
    const first = await active();
    // It is idle before the run has begun, too.
    await soon(() => (schedule.run(), panel.lines.at(-1) === 'text: One.'));
    await first.whenIdle();
    await controller.submit({ text: 'Explain' });
    const second = await active();
    await second.whenIdle();
    await soon(() => (schedule.run(), panel.lines.at(-1) === 'text: Two.'));
    assert.notEqual(second.id, first.id);
    assert.deepEqual(panel.lines, ['prompt: Explain', 'text: Two.']);
    assert.deepEqual(provider.requests[1]?.messages, [{ role: 'user', content: 'Explain' }]);
  });

  it('focuses the composer as soon as it exists', async () => {
    const panel = new FakePanel(controller);
    controller.focusComposer();
    panel.send({ type: 'ready' });
    await soon(() => panel.state.focusRequests === 1);
    controller.focusComposer();
    assert.equal(panel.state.focusRequests, 2);
  });

  it('carries out window actions for the panel', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'openFile', path: 'a.ts', line: 3 });
    panel.send({ type: 'openLink', href: 'https://example.org', text: 'here' });
    panel.send({ type: 'copyText', text: 'An answer.' });
    panel.send({ type: 'runCommand', command: 'showLog' });
    panel.send({ type: 'useCode', sessionId: 's', use: 'apply', code: 'x', language: 'js', path: 'a.js' });
    assert.deepEqual(did, [
      'open a.ts:3',
      'link here https://example.org',
      'copy An answer.',
      'run showLog',
      'apply x a.js',
    ]);
  });

  it('tells which files an answer names, and then which symbols', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'findPlaces', names: ['cart.js', 'total'] });
    const told = () => panel.heard.flatMap((message) => (message.type === 'places_found' ? [message.places] : []));
    await soon(() => told().length === 2);
    assert.deepEqual(told(), [
      [{ name: 'cart.js', path: 'src/cart.js' }],
      [{ name: 'total', path: 'src/cart.js', line: 7 }],
    ]);
  });

  it('drops and logs unknown messages', async () => {
    const panel = await readyPanel();
    const heardBefore = panel.heard.length;
    for (const message of [undefined, 'x', { type: 'runCommand', command: 'rm' }]) panel.sendAnything(message);
    assert.equal(warnings.length, 3);
    assert.equal(panel.heard.length, heardBefore);
    assert.deepEqual(did, []);
  });

  it('goes back to a message, and returns its text to the composer when the conversation goes back', async () => {
    const panel = await readyPanel();
    provider.add(textResponse('Hello.'));
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => did.length === 0 && provider.requests.length === 1);
    const session = await active();
    await session.whenIdle();
    const promptId = session.view.items[0]?.id ?? '';
    panel.send({ type: 'restoreTo', sessionId: session.id, promptId });
    await soon(() => did.length === 1);
    assert.equal(panel.state.draft, '');

    wordsThatComeBack = 'Hi';
    panel.send({ type: 'restoreTo', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 1);
    assert.equal(panel.state.draft, 'Hi');
    panel.send({ type: 'undoRestore', sessionId: session.id, noticeId: 'n' });
    await soon(() => did.length === 3);
    const restore = `restore ${session.id} ${promptId}`;
    panel.send({ type: 'reviewRun', sessionId: session.id, promptId });
    await soon(() => did.length === 5);
    panel.send({ type: 'undoRun', sessionId: session.id, promptId });
    await soon(() => did.length === 6);
    assert.deepEqual(did, [
      restore,
      restore,
      `undo ${session.id} n`,
      `changes ${session.id} ${promptId}`,
      'review 0 files',
      `undo run ${session.id} ${promptId}`,
    ]);
  });

  it('makes an answer again, unless the person does not want to go back', async () => {
    const panel = await readyPanel();
    provider.add(textResponse('Hello.'), textResponse('Hello again.'));
    panel.send({ type: 'submitPrompt', text: 'Hi' });
    await soon(() => did.length === 0 && provider.requests.length === 1);
    const session = await active();
    await session.whenIdle();
    const promptId = session.view.items[0]?.id ?? '';
    goesBack = false;
    panel.send({ type: 'regenerate', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 1);
    assert.equal(provider.requests.length, 1);
    goesBack = true;
    panel.send({ type: 'regenerate', sessionId: session.id, promptId });
    await soon(() => panel.state.focusRequests === 2);
    await session.whenIdle();
    assert.equal(provider.requests.length, 2);
  });

  it('carries out a plan: leaves plan mode before it tells the agent to begin', async () => {
    const panel = await readyPanel();
    panel.send({ type: 'selectMode', mode: 'plan' });
    await soon(() => panel.state.panel?.agent.mode === 'plan');
    await converse(panel, 'Plan it', textResponse('First a, then b.'));
    for (const [answer, before, after] of [
      ['Begun.', 'plan', 'ask'],
      ['Begun again.', 'acceptEdits', 'acceptEdits'],
    ] as const) {
      panel.send({ type: 'selectMode', mode: before });
      await soon(() => panel.state.panel?.agent.mode === before);
      provider.add(textResponse(answer));
      panel.send({ type: 'carryOutPlan', sessionId: panel.state.session?.sessionId ?? '' });
      await soon(() => isRunning);
      await (await active()).whenIdle();
      schedule.run();
      assert.equal(panel.state.panel?.agent.mode, after);
      assert.deepEqual(panel.lines.slice(-2), ['prompt: Carry out the plan.', `text: ${answer}`]);
    }
  });

  it('chooses mode, profile and agent for this workspace, and shows the choices and problems', async () => {
    agentSettings = {
      ...defaultAgentSettings,
      profiles: [{ id: 'gpu', baseUrl: 'http://gpu', model: 'big' }],
      agents: [{ id: 'reader', description: 'Reads' }],
    };
    const panel = new FakePanel(controller);
    panel.send({ type: 'ready' });
    await controller.settled();
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

  describe('in a tab of the editors', () => {
    const reveal = async (): Promise<void> => void revealed.push('tab');

    async function openTab(id: string, sessionId?: string): Promise<{ tab: FakePanel; chat: PanelController }> {
      const chat = await panels.openTab(id, reveal, sessionId);
      const tab = new FakePanel(chat);
      tab.send({ type: 'ready' });
      await soon(() => tab.state.panel !== undefined);
      return { tab, chat };
    }

    it('shows one session in two places, with the same events, and answers questions from either', async () => {
      const side = await readyPanel();
      await converse(side, 'One', textResponse('First.'));
      const { id } = await active();
      const { tab } = await openTab('t', id);
      assert.deepEqual([tab.lines, tab.title], [side.lines, 'One']);

      provider.add(response([toolUse('t', 'run', { command: 'ls' })]), textResponse('Second.'));
      tab.send({ type: 'submitPrompt', sessionId: id, text: 'Two' });
      const session = await registry.open(id);
      await soon(() => session.view.items.some((item) => item.kind === 'tool' && item.approval !== undefined));
      schedule.run();
      const asked = side.state.session?.items.find((item) => item.kind === 'tool');
      assert.ok(asked?.kind === 'tool' && asked.approval);
      side.send({ type: 'approve', requestId: asked.approval.requestId, sessionId: id });
      await soon(() => session.view.state === 'idle');
      schedule.run();
      assert.deepEqual(ran, ['ls']);
      assert.deepEqual(tab.lines, side.lines);
      assert.equal(tab.lines.at(-1), 'text: Second.');
    });

    it('keeps a session open while one of the chats shows it', async () => {
      const side = await readyPanel();
      await converse(side, 'One', textResponse('First.'));
      const { id } = await active();
      const { tab } = await openTab('t', id);
      await controller.newSession();
      await soon(() => side.state.session === undefined);
      assert.deepEqual(
        registry.openSessions.map((session) => session.id),
        [id],
      );
      await panels.closeTab('t');
      tab.close();
      await soon(() => registry.openSessions.length === 0);
    });

    it('has a session and a draft of its own, which the next window shows again', async () => {
      const side = await readyPanel();
      const { tab } = await openTab('t');
      side.send({ type: 'saveDraft', text: 'side' });
      tab.send({ type: 'saveDraft', text: 'tab' });
      await converse(side, 'One', textResponse('First.'));
      await controller.newSession();
      side.send({ type: 'saveDraft', text: 'side' });
      provider.add(textResponse('Second.'));
      tab.send({ type: 'submitPrompt', text: 'Two' });
      await soon(() => (schedule.run(), tab.lines.at(-1) === 'text: Second.' && tab.state.session?.state === 'idle'));
      tab.send({ type: 'saveDraft', text: 'tab' });
      await closeWindow();

      openWindow();
      const again = await openTab('t');
      assert.deepEqual(again.tab.lines, ['prompt: Two', 'text: Second.']);
      assert.equal(again.tab.state.draft, 'tab');
      const sideAgain = await readyPanel();
      assert.deepEqual([sideAgain.state.draft, sideAgain.lines], ['side', []]);

      // Closing a tab loses no text, and forgets the rest.
      await panels.closeTab('t');
      assert.equal(controller.draft, 'tab\n\nside');
      const fresh = await openTab('t');
      assert.deepEqual([fresh.tab.state.draft, fresh.tab.lines], ['', []]);
    });

    it('is emptied when its session is deleted in the other chat', async () => {
      const side = await readyPanel();
      await converse(side, 'One', textResponse('First.'));
      const { id } = await active();
      const { tab, chat } = await openTab('t', id);
      await controller.deleteSession(id);
      await soon(() => tab.state.session === undefined);
      assert.deepEqual([chat.activeSessionId, side.state.panel?.activeSessionId], [undefined, undefined]);
      assert.deepEqual(errors, []);
    });

    it('is the one that commands mean while it is on screen and was used last', async () => {
      const side = await readyPanel();
      await converse(side, 'One', textResponse('First.'));
      const { id } = await active();
      const { tab, chat } = await openTab('t');
      side.send({ type: 'focusChanged', isFocused: true });
      assert.equal(panels.current, controller);
      tab.send({ type: 'focusChanged', isFocused: true });
      side.send({ type: 'focusChanged', isFocused: false });
      assert.equal(panels.current, chat);
      assert.deepEqual([isFocused, isWatched], [true, true]);
      // A session that a chat has is shown there.
      await panels.showSession(id);
      assert.deepEqual([revealed, chat.activeSessionId], [['side bar'], undefined]);
      tab.hide();
      assert.equal(panels.current, controller);
      assert.deepEqual([isFocused, isWatched], [false, true]);
      side.hide();
      assert.equal(isWatched, false);
    });
  });
});
