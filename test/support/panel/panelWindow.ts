import assert from 'node:assert/strict';
import { FileClaims } from '../../../src/agent/session/fileClaims';
import { defaultAgentSettings, type AgentSettings } from '../../../src/agent/configuration/agentSettings';
import { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import { Emitter } from '../../../src/util/emitter';
import { VscodeApprover } from '../../../src/host/approvals/vscodeApprover';
import type { HunkChange } from '../../../src/host/diffPreview/editPreview';
import { PanelController } from '../../../src/host/panel/panelController';
import { Panels } from '../../../src/host/panel/panels';
import { openModelAccess } from '../../../src/agent/servers/access/modelAccess';
import { ModelSelection } from '../../../src/agent/servers/access/modelSelection';
import { ServerConnection } from '../../../src/agent/servers/access/serverConnection';
import { ServerDoctor } from '../../../src/agent/servers/doctor/serverDoctor';
import { AgentSelection } from '../../../src/host/settings/agentSelection';
import { Client } from '../../../src/sdk/client';
import { tool } from '../../../src/sdk/tool';
import { ManualSchedule } from '../manualSchedule';
import { FakeMcp } from '../servers/fakeMcp';
import { FakeBackgroundCommands } from '../commands/fakeBackgroundCommands';
import { MemoryOfWorkspace } from '../sessions/memoryOfWorkspace';
import { ScriptedProvider, type Script } from '../servers/scriptedProvider';
import { createTemporaryFolder, type TemporaryFolder } from '../files/temporaryFolder';
import { FakePanel } from './fakePanel';

/** A window of VS Code with a panel, around a scripted model. `usePanelWindow` opens one for each test. */
export class PanelWindow {
  folder!: TemporaryFolder;
  memory!: MemoryOfWorkspace;
  schedule!: ManualSchedule;
  provider!: ScriptedProvider;
  registry!: SessionRegistry;
  approver!: VscodeApprover;
  panels!: Panels;
  controller!: PanelController;
  did: string[] = [];
  /** The commands of the tool. */
  ran: string[] = [];
  warnings: string[] = [];
  errors: unknown[] = [];
  isRunning = false;
  typedCount = 0;
  isFocused = false;
  isWatched = false;
  /** What the chats revealed. */
  revealed: string[] = [];
  background = new FakeBackgroundCommands();
  agentSettings: AgentSettings = defaultAgentSettings;
  /** Counts how often the panel looked up the problems of the settings. */
  settingReads = 0;
  /** The fake MCP servers. */
  mcp = new FakeMcp();
  /** The prompt's text that going back returns. */
  wordsThatComeBack: string | undefined;
  goesBack = true;
  /** Runs at the start of `createClient`. */
  beforeClient: () => Promise<void> = async () => {};

  /** Opens the window on this folder and memory, as after a reload. */
  openWindow(): void {
    this.schedule = new ManualSchedule();
    this.provider = new ScriptedProvider([]);
    // A list that is still read when its test has ended must not fail the next one.
    const ownErrors = this.errors;
    const onInternalError = (error: unknown): void => void ownErrors.push(error);
    this.approver = new VscodeApprover({
      preview: {
        open: async () => {},
        editedText: () => undefined,
        decideHunk: async () => [],
        onHunksChanged: new Emitter<HunkChange>(onInternalError).on,
        close: async () => {},
        isInReview: () => false,
      },
      isOnScreen: (id) => this.panels.isActive(id),
      onInternalError,
    });
    this.registry = new SessionRegistry({
      directory: this.folder.path,
      claims: new FileClaims(),
      workspace: null,
      approver: this.approver,
      createClient: async ({ history, ask }) => {
        await this.beforeClient();
        const client = new Client({
          systemPrompt: 's',
          model: 'm',
          baseUrl: 'http://localhost:1',
          autoExecuteTools: true,
          provider: this.provider,
          history,
          tools: [
            tool('run', 'Run', { command: 'string' }, ({ command }) => {
              this.ran.push(command);
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
      selection: new ModelSelection({ memory: this.memory, setting: () => '' }),
      setTimer: this.schedule.schedule,
      // Finds no server, even if one runs on this machine.
      ports: [],
    });
    const create: ConstructorParameters<typeof Panels>[0]['create'] = ({ memory: own, ...surroundings }) =>
      new PanelController({
        surroundings,
        registry: this.registry,
        approver: this.approver,
        server,
        doctor: new ServerDoctor({ ...ways, server, onLearned: () => {} }),
        local: {
          setUp: { name: 'Qwen3 8B', text: 'paused', kind: 'paused' },
          steerSetUp: (action) => void this.did.push(`set-up ${action}`),
          onChange: () => ({ dispose: () => {} }),
        },
        agents: new AgentSelection({
          memory: this.memory,
          settings: () => this.agentSettings,
          forgetModel: async () => {},
          onInternalError,
        }),
        mcp: this.mcp,
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
          follow: async (mentions) => void this.did.push(`follow ${mentions.join(' ')}`),
          refreshSoon: () => {},
          onChange: () => ({ dispose: () => {} }),
        },
        switchInstruction: async (id, isOn) => void this.did.push(`switch ${id} ${isOn ? 'on' : 'off'}`),
        slashCommands: {
          list: async () => [{ name: 'explain', detail: 'explain it' }],
          async expand(text) {
            if (text === '/explain') return { kind: 'send', context: [{ label: 'b.ts', content: 'B. Explain it.' }] };
            if (text === '/commit' || text === '/compact')
              return { kind: 'do', command: text.slice(1) as 'commit', words: '' };
            return { kind: text === '/asks' ? 'given_up' : 'none' };
          },
          run: async ({ command }) => {
            this.did.push(command);
            return command === 'compact' ? 'There is nothing to compact.' : undefined;
          },
        },
        ruleProblems: () => ['The rule "*" would allow everything.'],
        reviewEdits: async () => {
          this.did.push('review');
          return true;
        },
        reviewRun: async (changes) => void this.did.push(`review ${changes.length} files`),
        reviewProposedEdits: async (sessionId) => {
          this.did.push(`review proposed ${sessionId}`);
          return true;
        },
        settingProblems: () => {
          this.settingReads += 1;
          return [{ setting: 'profiles', message: 'Profile "x": model: missing.' }];
        },
        memory: own,
        restore: {
          restoreTo: async ({ view }, promptId) => {
            this.did.push(`restore ${view.sessionId} ${promptId}`);
            return this.wordsThatComeBack;
          },
          goBack: async () => this.goesBack,
          changesSince: async ({ view }, promptId) => {
            this.did.push(`changes ${view.sessionId} ${promptId}`);
            return [];
          },
          undoRun: async ({ view }, promptId) => {
            this.did.push(`undo run ${view.sessionId} ${promptId}`);
            return true;
          },
          undoRepair: async ({ view }, noticeId) => {
            this.did.push(`undo repair ${view.sessionId} ${noticeId}`);
            return true;
          },
          undo: async ({ view }, entryId) => void this.did.push(`undo ${view.sessionId} ${entryId}`),
        },
        background: this.background,
        onTyping: () => (this.typedCount += 1),
        codeBlocks: { use: async ({ use, code, path }) => void this.did.push(`${use} ${code} ${path}`) },
        actions: {
          showCommandOutput: async (id) => void this.did.push(`output ${id}`),
          openFile: async (file, line) => void this.did.push(`open ${file}:${line}`),
          copyText: async (text) => void this.did.push(`copy ${text}`),
          openLink: async (href, text) => void this.did.push(`link ${text} ${href}`),
          runCommand: async (command) => void this.did.push(`run ${command}`),
          runSessionAction: async (action, id) => void this.did.push(`${action} ${id}`),
          showError: (message) => void this.did.push(`error ${message}`),
          changeLoaded: async (model, isLoaded) => void this.did.push(`${isLoaded ? 'load' : 'unload'} ${model}`),
          openSetting: async (setting) => void this.did.push(`setting ${setting}`),
        },
        forgetQuirks: () => void this.did.push('forget'),
        trySandbox: () => {},
        isTrusted: () => true,
        hasFolder: () => true,
        schedule: this.schedule.schedule,
        log: { warn: (message) => void this.warnings.push(message), error: onInternalError },
      });
    this.panels = new Panels({
      memory: this.memory,
      create,
      revealSideBar: async () => void this.revealed.push('side bar'),
      setWatched: (value) => (this.isWatched = value),
      showRunning: (value) => (this.isRunning = value),
      showFocused: (value) => (this.isFocused = value),
    });
    this.controller = this.panels.sideBar;
  }

  async closeWindow(): Promise<void> {
    await this.registry.dispose();
    this.panels.dispose();
  }

  async readyPanel(): Promise<FakePanel> {
    const panel = new FakePanel(this.controller);
    panel.send({ type: 'ready' });
    await soon(() => panel.state.panel !== undefined);
    return panel;
  }

  /** Sends a prompt and waits for the end of the run. */
  async converse(panel: FakePanel, text: string, ...scripts: readonly Script[]): Promise<void> {
    this.provider.add(...scripts);
    panel.send({ type: 'submitPrompt', sessionId: panel.state.session?.sessionId, text });
    await soon(() => this.controller.settled().then(() => this.isRunning));
    await this.active().then((session) => session.whenIdle());
    this.schedule.run();
  }

  async active(): ReturnType<SessionRegistry['open']> {
    const id = this.memory.get('openAgent.activeSession');
    assert.equal(typeof id, 'string');
    return this.registry.open(id as string);
  }
}

/** Opens a window before each test of the suite, on an empty folder, and closes it after. */
export function usePanelWindow(): PanelWindow {
  const opened = new PanelWindow();
  beforeEach(async () => {
    Object.assign(opened, new PanelWindow());
    opened.folder = await createTemporaryFolder();
    opened.memory = new MemoryOfWorkspace();
    opened.openWindow();
  });
  afterEach(async () => {
    await opened.closeWindow();
    await opened.folder.dispose();
  });
  return opened;
}

/** Waits for a condition, one turn of the event loop at a time. */
export async function soon(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
