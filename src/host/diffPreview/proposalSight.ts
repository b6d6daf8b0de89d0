import { DisposableStore, type Disposable } from '../../util/disposable';

/** A shorter look at a proposal is none: a key that was meant for the edit before it must not accept this one. */
const SHORTEST_LOOK_MS = 500;

type Listen = (listener: () => void) => Disposable;

export interface ProposalSightParts {
  /** The ids of the proposals that editors show. */
  readonly visible: () => readonly string[];
  readonly onVisibleChanged: Listen;
  /** Whether a proposal waits for an answer. */
  readonly isPending: (proposalId: string) => boolean;
  readonly onPendingChanged: Listen;
  /** A clock that only runs forward. */
  readonly nowMs: () => number;
}

/** Knows since when each waiting proposal has been visible in an editor. */
export class ProposalSight implements Disposable {
  readonly #parts: ProposalSightParts;
  readonly #since = new Map<string, number>();
  readonly #owned = new DisposableStore();

  constructor(parts: ProposalSightParts) {
    this.#parts = parts;
    this.#owned.add(parts.onVisibleChanged(() => this.#look()));
    this.#owned.add(parts.onPendingChanged(() => this.#look()));
  }

  /** Whether the person could have read the proposal. */
  wasSeen(proposalId: string): boolean {
    // A look that no event has told begins now.
    this.#look();
    const since = this.#since.get(proposalId);
    return since !== undefined && this.#parts.nowMs() - since >= SHORTEST_LOOK_MS;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #look(): void {
    const { visible, isPending, nowMs } = this.#parts;
    const now = new Set(visible().filter(isPending));
    for (const id of this.#since.keys()) if (!now.has(id)) this.#since.delete(id);
    for (const id of now) if (!this.#since.has(id)) this.#since.set(id, nowMs());
  }
}
