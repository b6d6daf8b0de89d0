import type { AgentSession } from '../../agent/session/agentSession';
import type { SessionEvent } from '../../agent/view/sessionEvents';
import type { Disposable } from '../../util/disposable';
import { messageOf } from '../../util/errors';
import type { PanelControllerParts } from './panelParts';

const memoryKey = 'openAgent.activeSession';

export interface ShownSessionParts extends Pick<PanelControllerParts, 'registry' | 'memory' | 'surroundings' | 'log'> {
  /** Called before another session, or none, is shown. */
  readonly onLeave: () => void;
  readonly onEvent: (session: AgentSession, event: SessionEvent) => void;
}

/** The session on screen. The next window shows it again; once replaced and idle, other windows may open it. */
export class ShownSession implements Disposable {
  readonly #parts: ShownSessionParts;
  #session: AgentSession | undefined;
  #subscription: Disposable | undefined;

  constructor(parts: ShownSessionParts) {
    this.#parts = parts;
  }

  /** `undefined`: the panel is empty. */
  get current(): AgentSession | undefined {
    return this.#session;
  }

  show(session: AgentSession | undefined): void {
    const before = this.#session;
    if (session === before) return;
    const { memory, surroundings, log, onLeave, onEvent } = this.#parts;
    onLeave();
    this.#subscription?.dispose();
    this.#session = session;
    this.#subscription = session?.onEvent((event) => onEvent(session, event));
    surroundings.showRunning(session !== undefined && session.view.state !== 'idle');
    Promise.resolve(memory.update(memoryKey, session?.id)).catch(log.error);
    if (before) this.#release(before).catch(log.error);
  }

  /** Shows the last window's session. Never rejects: the panel starts empty when the session is gone or open elsewhere. */
  async restore(): Promise<void> {
    const { memory, registry, log } = this.#parts;
    const id = memory.get(memoryKey);
    if (typeof id !== 'string') return;
    try {
      this.show(await registry.open(id));
    } catch (error) {
      log.warn(`The last session could not be opened: ${messageOf(error)}`);
    }
  }

  dispose(): void {
    this.#subscription?.dispose();
  }

  async #release(session: AgentSession): Promise<void> {
    await session.whenIdle();
    const { registry, surroundings } = this.#parts;
    if (session.id === this.#session?.id || surroundings.isElsewhere(session.id)) return;
    await registry.leave(session.id);
  }
}
