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
}

/** The person's consents: each is for one remote and one origin. A refusal holds for the window. */
export class Consents {
  readonly #parts: ConsentsParts;
  readonly #ofWindow = new Set<string>();
  readonly #refused = new Set<string>();
  #question: { readonly origin: string; readonly answer: Promise<boolean> } | undefined;

  constructor(parts: ConsentsParts) {
    this.#parts = parts;
  }

  /** The servers that this window may use. */
  get origins(): readonly string[] {
    const { id } = this.#parts.remote();
    const kept = this.#kept().flatMap(([remote, origin]) => (remote === id ? [origin] : []));
    return [...new Set([...this.#ofWindow, ...kept])].filter((origin) => !this.#refused.has(origin));
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

  /** Forgets a consent. The window does not ask for this server again by itself. */
  async revoke(origin: string): Promise<void> {
    const { id } = this.#parts.remote();
    this.#ofWindow.delete(origin);
    this.#refused.add(origin);
    await this.#keep(this.#kept().filter(([remote, kept]) => remote !== id || kept !== origin));
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
    this.#ofWindow.add(origin);
    if (answer === 'always' && id !== undefined) {
      await this.#keep([...this.#kept(), [id, origin] as const].slice(-MAX_KEPT));
    }
    return true;
  }

  #kept(): readonly (readonly [string, string])[] {
    return Kept.safeParse(this.#parts.memory.get(MEMORY_KEY)).data ?? [];
  }

  async #keep(pairs: readonly (readonly [string, string])[]): Promise<void> {
    await this.#parts.memory.update(MEMORY_KEY, pairs);
  }
}

const MAX_REFUSALS = 3;
const MAX_KEPT = 100;
const MEMORY_KEY = 'consents';
const Kept = z.array(z.tuple([z.string(), z.string()]));
