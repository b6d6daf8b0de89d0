import * as z from 'zod/mini';

/** What the person is asked. */
export interface ConsentQuestion {
  readonly origin: string;
  /** The remote, for people. */
  readonly remote: string;
  /** The remote is known well enough to remember the answer. */
  readonly canRemember: boolean;
}

export type ConsentAnswer = 'always' | 'window' | 'no';

export interface ConsentsParts {
  /** The remote of this window. `id`: absent when VS Code does not tell for certain which one it is. */
  readonly remote: () => { readonly id: string | undefined; readonly name: string };
  readonly ask: (question: ConsentQuestion) => Promise<ConsentAnswer>;
  /** Storage on the laptop, shared by its windows. */
  readonly memory: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  /** Milliseconds, of a clock that all windows of the laptop share. */
  readonly now: () => number;
}

/** The person's consents: each is for one remote and one origin. A refusal holds for the window. */
export class Consents {
  readonly #parts: ConsentsParts;
  /** Since when, as a clock of the laptop says. */
  readonly #ofWindow = new Map<string, number>();
  readonly #refused = new Set<string>();
  readonly #openedMs: number;
  #question: { readonly origin: string; readonly answer: Promise<boolean> } | undefined;

  constructor(parts: ConsentsParts) {
    this.#parts = parts;
    this.#openedMs = parts.now();
  }

  /** The servers that this window may use. Another window may have taken a consent back meanwhile. */
  get origins(): readonly string[] {
    const { id } = this.#parts.remote();
    const { kept } = this.#memory();
    const always = kept.flatMap(([remote, origin]) => (remote === id ? [origin] : []));
    const ofWindow = [...this.#ofWindow].flatMap(([origin, sinceMs]) =>
      this.#revokedSince(origin, sinceMs) ? [] : [origin],
    );
    return [...new Set([...ofWindow, ...always])].filter((origin) => !this.#refused.has(origin));
  }

  has(origin: string): boolean {
    return this.origins.includes(origin);
  }

  /**
   * Asks the person at the first request for a server. Shows one question at a time, and none after three refusals: a remote
   * must not be able to flood the window with questions.
   */
  async isAllowed(origin: string, mayAsk: boolean): Promise<boolean> {
    if (this.has(origin)) return true;
    if (!mayAsk) return false;
    if (this.#question) return this.#question.origin === origin && this.#question.answer;
    if (this.#refused.has(origin) || this.#refused.size >= MAX_REFUSALS) return false;
    // Taken back in another window, since this one is open: that is a refusal here too.
    if (this.#revokedSince(origin, this.#openedMs)) return false;
    return this.#ask(origin);
  }

  /**
   * Asks although the person has refused this server before. `isFromList`: they chose it in a list of the laptop just now. Otherwise the
   * remote names it, which may be any extension, so three refusals end such questions too.
   */
  async choose(origin: string, isFromList: boolean): Promise<boolean> {
    if (this.has(origin)) return true;
    if (this.#question || (!isFromList && this.#refused.size >= MAX_REFUSALS)) return false;
    return this.#ask(origin);
  }

  /** Forgets a consent, in all windows of this remote. The window does not ask for this server again by itself. */
  async revoke(origin: string): Promise<void> {
    const { id } = this.#parts.remote();
    this.#ofWindow.delete(origin);
    this.#refused.add(origin);
    const { kept, revoked } = this.#memory();
    await this.#keep({
      kept: kept.filter(([remote, one]) => remote !== id || one !== origin),
      // A remote that is not known for certain has windows that nobody can find.
      revoked:
        id === undefined
          ? revoked
          : [...revoked.filter(([remote, one]) => remote !== id || one !== origin), [id, origin, this.#parts.now()]],
    });
  }

  #ask(origin: string): Promise<boolean> {
    const answer = this.#askOnce(origin).finally(() => (this.#question = undefined));
    this.#question = { origin, answer };
    return answer;
  }

  async #askOnce(origin: string): Promise<boolean> {
    const { id, name } = this.#parts.remote();
    const answer = await this.#parts.ask({ origin, remote: name, canRemember: id !== undefined });
    // Only these two words allow anything.
    if (answer !== 'always' && answer !== 'window') {
      this.#refused.add(origin);
      return false;
    }
    this.#refused.delete(origin);
    if (answer === 'always' && id !== undefined) {
      const { kept, revoked } = this.#memory();
      await this.#keep({ kept: [...kept, [id, origin]], revoked });
    } else {
      this.#ofWindow.set(origin, this.#parts.now());
    }
    return true;
  }

  /** Whether any window of this remote has taken the consent back since then. */
  #revokedSince(origin: string, sinceMs: number): boolean {
    const { id } = this.#parts.remote();
    return this.#memory().revoked.some(([remote, one, ms]) => remote === id && one === origin && ms >= sinceMs);
  }

  /** Read each time: other windows write it too. */
  #memory(): Memory {
    return Memory.safeParse(this.#parts.memory.get(MEMORY_KEY)).data ?? { kept: [], revoked: [] };
  }

  async #keep({ kept, revoked }: Memory): Promise<void> {
    await this.#parts.memory.update(MEMORY_KEY, { kept: kept.slice(-MAX_KEPT), revoked: revoked.slice(-MAX_KEPT) });
  }
}

const MAX_REFUSALS = 3;
const MAX_KEPT = 100;
const MEMORY_KEY = 'consents';

/** Pairs of remote and origin, and when a consent was last taken back. */
const Memory = z.object({
  kept: z.readonly(z.array(z.tuple([z.string(), z.string()]))),
  revoked: z.readonly(z.array(z.tuple([z.string(), z.string(), z.number()]))),
});
type Memory = z.infer<typeof Memory>;
