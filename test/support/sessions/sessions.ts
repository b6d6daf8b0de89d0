import { Client } from '../../../src/sdk/client';
import type { ModelRequest } from '../../../src/sdk/model/modelProvider';
import type { AgentOptions } from '../../../src/sdk/configuration/agentOptions';
import { loadEntries, SessionLog } from '../../../src/sdk/session/sessionLog';
import type { SessionEntry } from '../../../src/sdk/session/entries';
import { tool } from '../../../src/sdk/tool';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../../../src/agent/approval/approver';
import { AgentSession } from '../../../src/agent/session/agentSession';
import type { PermissionMode } from '../../../src/agent/view/permissionModes';
import type { ProjectRules } from '../../../src/agent/context/projectRules';
import type { CreateClient, CreateClientInput, SessionClient } from '../../../src/agent/configuration/sessionClient';
import type { SessionEvent } from '../../../src/agent/view/sessionEvents';
import type { SessionView } from '../../../src/agent/view/sessionView';
import type { CommandPlan } from '../../../src/workspace/plans';
import { ManualSchedule } from '../manualSchedule';
import { MemoryLogStorage } from './memoryLogStorage';
import { scriptedModel, ScriptedProvider, type Script } from '../servers/scriptedProvider';

export const sessionFile = '/sessions/session.jsonl';

/** Answers each question with the next decision. A function may wait first. Without a decision left, allows. */
export class ScriptedApprover implements Approver {
  readonly requests: ApprovalRequest[] = [];
  readonly decisions: (ApprovalDecision | (() => Promise<ApprovalDecision>))[] = [];

  async ask(request: ApprovalRequest): Promise<ApprovalDecision> {
    this.requests.push(request);
    const next = this.decisions.shift() ?? { action: 'allow' };
    return typeof next === 'function' ? next() : next;
  }
}

/** A session with the real client, a scripted model, one tool that asks (`run`) and one that does not (`read`). */
export class SessionBench {
  readonly storage = new MemoryLogStorage();
  readonly schedule = new ManualSchedule();
  readonly approver = new ScriptedApprover();
  /** May be replaced between runs. */
  provider = new ScriptedProvider([]);
  readonly events: SessionEvent[] = [];
  readonly internalErrors: unknown[] = [];
  /** The actions of the `run` tool. */
  readonly done: string[] = [];
  /** Runs once before the next client is created. */
  beforeClient: (() => Promise<void>) | undefined;
  /** The log of the newest opened session. */
  log: SessionLog | undefined;
  model = scriptedModel;
  clientCount = 0;
  maxToolIterations = 5;
  permissionMode: PermissionMode = 'ask';
  isUnseen: ((path: string) => boolean) | undefined;
  projectRules: ProjectRules | undefined;
  /** The parts of clients made from now on. */
  made: (input: CreateClientInput) => Omit<SessionClient, 'client'> = () => ({});
  /** The compaction of clients made from now on. */
  compaction: AgentOptions['compaction'];
  #now = 1_000;

  /** Opens the session from the current file. */
  async open(...scripts: readonly Script[]): Promise<AgentSession> {
    this.provider.add(...scripts);
    const now = (): number => this.#now++;
    const newId = (): string => `id${(idCount += 1)}`;
    const onError = (error: unknown): void => void this.internalErrors.push(error);
    const parts = { path: sessionFile, storage: this.storage, now, newId, onListenerError: onError };
    this.log = await SessionLog.open(parts);
    const session = new AgentSession({
      id: 'session',
      projectRules: this.projectRules,
      log: this.log,
      createClient: this.#createClient,
      approver: this.approver,
      workspace: 'file:///w',
      permissionMode: () => this.permissionMode,
      isUnseen: this.isUnseen,
      now,
      newId,
      setTimer: this.schedule.schedule,
      onInternalError: onError,
    });
    session.onEvent((event) => this.events.push(event));
    return session;
  }

  get requests(): readonly ModelRequest[] {
    return this.provider.requests;
  }

  /** The messages of the newest request as JSON, to compare bytes like a server. */
  get newestRequest(): string {
    return JSON.stringify(this.requests.at(-1)?.messages);
  }

  async entries(): Promise<readonly SessionEntry[]> {
    return (await loadEntries(sessionFile, this.storage)).entries;
  }

  async entryTypes(): Promise<readonly string[]> {
    return (await this.entries()).map((entry) => (entry.type === 'status_update' ? entry.status : entry.type));
  }

  readonly #createClient: CreateClient = async (input) => {
    const { ask } = input;
    const before = this.beforeClient;
    this.beforeClient = undefined;
    await before?.();
    this.clientCount += 1;
    const client = new Client({
      systemPrompt: 'Be brief.',
      model: this.model,
      baseUrl: 'http://localhost:8080',
      autoExecuteTools: true,
      maxToolIterations: this.maxToolIterations,
      compaction: this.compaction,
      provider: { stream: (request, options) => this.provider.stream(request, options) },
      history: this.made(input).omitsHistory ? [] : input.history,
      tools: [
        tool('run', 'Run a command', { command: 'string' }, ({ command }) => {
          this.done.push(command);
          return { content: `ran ${command}`, display: { exitCode: 0 } };
        }),
        tool('read', 'Read a file', { path: 'string' }, ({ path }) => `text of ${path}`),
        tool('read_file', 'Read a file', { path: 'string' }, ({ path }) => `text of ${path}`),
      ],
      approvalHook: async ({ toolName, toolUseId, input, signal }) => {
        if (toolName !== 'run') return;
        const plan: CommandPlan = {
          kind: 'command',
          command: JSON.stringify(input.command),
          cwd: root,
          timeoutMs: 1_000,
        };
        const decision = await ask({ toolUseId, toolName, plan, reason: 'Commands always ask' }, { signal });
        return decision.action === 'allow'
          ? { action: 'allow' }
          : { action: 'deny', reason: decision.action === 'deny' ? (decision.reason ?? 'denied') : 'cancelled' };
      },
    });
    return { client, ...this.made(input) };
  };
}

/** Shared by all benches, because a file may pass from one to the next. */
let idCount = 0;

const root = { path: '/w', realPath: '/w', displayPath: '.', pathInRoot: '', exists: true };

/** Resolves with the next event that `isIt` accepts. */
export function nextEvent(session: AgentSession, isIt: (event: SessionEvent) => boolean): Promise<SessionEvent> {
  return new Promise((resolve) => {
    const subscription = session.onEvent((event) => {
      if (!isIt(event)) return;
      subscription.dispose();
      resolve(event);
    });
  });
}

/** A view without the values of a run in progress: times and streaming flags. Without notices on request. */
export function comparable(view: SessionView, { withNotices = true } = {}): unknown {
  const { items, activity: _activity, context: _context, responseTimes: _times, ...rest } = view;
  const kept = withNotices ? items : items.filter(({ kind }) => kind !== 'notice');
  return JSON.parse(
    JSON.stringify({ ...rest, items: kept }, (key, value: unknown) =>
      /^(started|ended|firstToken)Ms$/.test(key) ? undefined : value,
    ),
  );
}

/** The text of a view, one line for each item. */
export function outline(view: SessionView): readonly string[] {
  return view.items.map((item) => {
    switch (item.kind) {
      case 'prompt':
        return `${item.isSteering ? 'steer' : 'prompt'}: ${item.text}`;
      case 'text':
        return `text${item.cut ? ` (${item.cut})` : ''}: ${item.text}`;
      case 'thinking':
        return `thinking: ${item.text}`;
      case 'tool':
        return `${item.toolName} ${item.state}: ${item.result ?? item.liveOutput}`;
      case 'notice':
        return `notice [${item.notice.actions.join(', ')}]: ${item.notice.message}`;
    }
  });
}
