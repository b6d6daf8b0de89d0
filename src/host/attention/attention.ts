import type { AgentSession } from '../../agent/session/agentSession';
import type { ConnectionState } from '../../agent/view/server/connectionState';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import { DisposableStore, type Disposable } from '../../util/disposable';
import * as l10n from '../../util/l10n';
import type { SetTimer } from '../../util/timer';
import type { PanelMcp } from '../panel/panelParts';
import type { PanelBadge } from '../panel/page/panelPage';
import { countText, openQuestions, questionsText, type OpenQuestion } from './openQuestions';
import { statusText, type StatusText } from './statusText';
import { WritingSpeed } from './writingSpeed';

/** A shorter run needs no word about its end. */
const LONG_RUN_MS = 60_000;
/** Questions that come together are told together. */
const GATHER_MS = 200;
/** While an answer streams, the status bar changes at most this often. */
const REFRESH_MS = 500;

export interface AttentionSettings {
  readonly badge: boolean;
  readonly statusBar: boolean;
  readonly questions: boolean;
  readonly finished: boolean;
}

/** Where the window tells the person something. */
export interface AttentionWindow {
  /** `undefined` hides it. */
  showStatus(status: StatusText | undefined): void;
  /** `undefined` removes it. */
  showBadge(badge: PanelBadge | undefined): void;
  /** Resolves with true when the person wants to see it. */
  notify(message: string): Promise<boolean>;
}

type FollowedSession = Pick<AgentSession, 'id' | 'view'>;

/** The open sessions of this window. */
export interface FollowedSessions {
  readonly openSessions: readonly FollowedSession[];
  readonly onChange: (listener: () => void) => Disposable;
  readonly onSessionEvent: (
    listener: (told: { readonly session: FollowedSession; readonly event: SessionEvent }) => void,
  ) => Disposable;
}

export interface AttentionParts {
  readonly registry: FollowedSessions;
  readonly server: {
    readonly state: ConnectionState;
    readonly selectedModel: string | undefined;
    readonly onChange: (listener: () => void) => Disposable;
  };
  readonly mcp: Pick<PanelMcp, 'summaries' | 'onChange'>;
  readonly window: AttentionWindow;
  readonly settings: () => AttentionSettings;
  /** Whether the person sees this session. */
  readonly isShown: (sessionId: string) => boolean;
  /** Whether the panel has this session, hidden or not. */
  readonly isActive: (sessionId: string) => boolean;
  readonly showSession: (sessionId: string) => Promise<void>;
  /** Whether the person sees a panel, which tells about MCP servers above each session. */
  readonly isPanelShown: () => boolean;
  readonly showServers: () => Promise<void>;
  readonly setTimer: SetTimer;
  readonly onInternalError: (error: unknown) => void;
}

interface Run {
  readonly startedMs: number;
  readonly speed: WritingSpeed;
  wasStopped: boolean;
}

interface News {
  readonly questions: OpenQuestion[];
  readonly timer: Disposable;
}

/** Sees to it that the person notices what waits: with a badge, the status bar, and notifications. */
export class Attention implements Disposable {
  readonly #parts: AttentionParts;
  readonly #owned = new DisposableStore();
  readonly #runs = new Map<string, Run>();
  /** The sessions that ran in this window. Of others an old error is no news. */
  readonly #ran = new Set<string>();
  readonly #known = new Set<string>();
  readonly #news = new Map<string | undefined, News>();
  #questions: readonly OpenQuestion[] = [];
  #servedAt: string | undefined;
  #local = '';
  #refresh: Disposable | undefined;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
    const { registry, server, mcp } = parts;
    this.#owned.add(registry.onSessionEvent(({ session, event }) => this.#onEvent(session, event)));
    this.#owned.add(registry.onChange(() => this.#lookAgain()));
    this.#owned.add(server.onChange(() => this.show()));
    this.#owned.add(mcp.onChange(() => this.#lookAgain()));
    this.#lookAgain();
  }

  /** What waits for an answer, those of the session on screen first. */
  get questions(): readonly OpenQuestion[] {
    return this.#questions;
  }

  /** Whether a session runs. */
  get isRunning(): boolean {
    return this.#runs.size > 0;
  }

  /** The agent is served at this address now. `undefined`: no longer. */
  showServing(servedAt: string | undefined): void {
    this.#servedAt = servedAt;
    this.show();
  }

  /** What happens to the model on this machine. Empty: nothing. */
  showLocal(local: string): void {
    if (this.#local === local) return;
    this.#local = local;
    this.show();
  }

  /** Shows the current state, as the settings say. */
  show(): void {
    this.#refresh?.dispose();
    this.#refresh = undefined;
    const { window, settings, server } = this.#parts;
    const { badge, statusBar } = settings();
    const count = this.#questions.length;
    window.showBadge(badge && count > 0 ? { value: count, tooltip: questionsText(this.#questions) } : undefined);
    const running = this.#running();
    const [first] = running;
    window.showStatus(
      statusBar
        ? statusText({
            connection: server.state,
            model: server.selectedModel,
            questions: this.#questions,
            running: running.map(({ view }) => view),
            tokensPerSecond: first && this.#runs.get(first.id)?.speed.tokensPerSecond,
            local: this.#local,
            servedAt: this.#servedAt,
          })
        : undefined,
    );
  }

  dispose(): void {
    this.#refresh?.dispose();
    for (const { timer } of this.#news.values()) timer.dispose();
    this.#owned.dispose();
  }

  /** The session on screen comes first. */
  #running(): readonly FollowedSession[] {
    return this.#bySight(this.#parts.registry.openSessions.filter(({ view }) => view.state !== 'idle'));
  }

  #bySight(sessions: readonly FollowedSession[]): readonly FollowedSession[] {
    const { isActive } = this.#parts;
    return sessions.toSorted((a, b) => Number(isActive(b.id)) - Number(isActive(a.id)));
  }

  #onEvent(session: FollowedSession, event: SessionEvent): void {
    const { id } = session;
    if (event.type === 'state_changed') this.#onState(session, event.ts);
    this.#runs.get(id)?.speed.add(event);
    if (event.type === 'agent') this.#showSoon();
    else this.#lookAgain();
  }

  #onState({ id, view }: FollowedSession, ts: number): void {
    const run = this.#runs.get(id);
    if (run && view.state === 'stopping') run.wasStopped = true;
    if (view.state !== 'idle') {
      this.#ran.add(id);
      if (!run) this.#runs.set(id, { startedMs: ts, speed: new WritingSpeed(), wasStopped: false });
      return;
    }
    this.#runs.delete(id);
    if (!run || run.wasStopped || ts - run.startedMs <= LONG_RUN_MS) return;
    const { settings, isShown } = this.#parts;
    // An error or a limit is told as a question.
    if (!settings().finished || isShown(id) || openQuestions(view).length > 0) return;
    this.#tell(l10n.t('Open Agent has finished.'), id);
  }

  #showSoon(): void {
    this.#refresh ??= this.#parts.setTimer(() => this.show(), REFRESH_MS);
  }

  #lookAgain(): void {
    const { registry, mcp, settings, isShown, isPanelShown } = this.#parts;
    const ofSessions = this.#bySight(registry.openSessions)
      .filter(({ id }) => this.#ran.has(id))
      .flatMap(({ view }) => openQuestions(view));
    const ofServers = mcp.summaries
      .filter(({ state }) => state.kind === 'needs_consent' && !state.isRefused)
      .map(({ name }): OpenQuestion => ({ id: `mcp ${name}`, kind: 'mcp' }));
    this.#questions = [...ofSessions, ...ofServers];
    const known = new Set(this.#known);
    this.#known.clear();
    for (const question of this.#questions) {
      const { id, sessionId } = question;
      this.#known.add(id);
      const isSeen = sessionId === undefined ? isPanelShown() : isShown(sessionId);
      if (!known.has(id) && !isSeen && settings().questions) this.#gather(sessionId, question);
    }
    this.show();
  }

  /** Without a session: a question about an MCP server. */
  #gather(sessionId: string | undefined, question: OpenQuestion): void {
    const gathered = this.#news.get(sessionId);
    if (gathered) return void gathered.questions.push(question);
    const questions = [question];
    const timer = this.#parts.setTimer(() => {
      this.#news.delete(sessionId);
      // Some may be answered already.
      const open = questions.filter(({ id }) => this.#known.has(id));
      if (open.length > 0) this.#tell(messageAbout(open), sessionId);
    }, GATHER_MS);
    this.#news.set(sessionId, { questions, timer });
  }

  #tell(message: string, sessionId: string | undefined): void {
    const { window, showSession, showServers, onInternalError } = this.#parts;
    const show = () => (sessionId === undefined ? showServers() : showSession(sessionId));
    window
      .notify(message)
      .then((wantsToSee) => (wantsToSee ? show() : undefined))
      .catch(onInternalError);
  }
}

/** Quotes no words of a model or program. */
function messageAbout(questions: readonly OpenQuestion[]): string {
  const [{ kind, askedBy } = { kind: 'error' as const }] = questions;
  if (questions.length === 1 && kind === 'error') return l10n.t('Open Agent has stopped with an error.');
  if (questions.length === 1 && kind === 'limit') return l10n.t('Open Agent has stopped before it was done.');
  const what = countText(questions);
  return askedBy === 'endpoint'
    ? l10n.t('A program that uses this workspace through the endpoint waits for your decision: {0}.', what)
    : l10n.t('Open Agent waits for your decision: {0}.', what);
}
