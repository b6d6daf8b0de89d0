import type { AssistantMessage, Message } from '../../../sdk/messages';
import type { ModelProvider, ModelRequest, ModelResponse } from '../../../sdk/model/modelProvider';
import { DisposableStore, type Disposable } from '../../../util/disposable';
import { serverKey } from '../serverKey';
import type { SlotQueue } from './slotQueue';
import type { SetTimer } from '../../../util/timer';

export interface CacheWarmerParts {
  readonly slots: SlotQueue;
  readonly setTimer: SetTimer;
}

/** How long the server must be idle after an answer. */
export const WARM_DELAY_MS = 1_000;

/**
 * Warms a server's prompt cache while the person reads. Templates of reasoning models drop a turn's reasoning once the next
 * user message exists. A prefix cache then has to read the whole turn again. Only for servers that keep a prompt cache.
 */
export class CacheWarmer implements Disposable {
  readonly #parts: CacheWarmerParts;
  /** The newest plan of each server. A cache holds only the newest conversation. */
  readonly #planned = new Map<string, Plan>();
  #isDisposed = false;

  constructor(parts: CacheWarmerParts) {
    this.#parts = parts;
  }

  /**
   * Wraps `provider`, and warms the cache after each final answer. `provider` waits for slots; `direct` is the same provider
   * without the queue. `keepsCache` is read after each answer.
   */
  wrap(
    provider: ModelProvider,
    direct: ModelProvider,
    baseUrl: string,
    keepsCache: () => boolean = () => true,
  ): ModelProvider {
    const key = serverKey(baseUrl);
    const cancel = (): void => this.#cancel(key);
    const plan = (request: ModelRequest): void => this.#plan(key, request, direct, baseUrl);
    return {
      async *stream(request, options) {
        cancel();
        for await (const event of provider.stream(request, options)) {
          if (event.type === 'response_end') {
            const next = keepsCache() ? warmingRequest(request, event) : undefined;
            if (next) plan(next);
          }
          yield event;
        }
      },
    };
  }

  /**
   * Warms at once what is planned, and waits for it: the process is about to end. Stops when `signal` is aborted. A server keeps
   * what it has read by then.
   */
  async finish(signal: AbortSignal): Promise<void> {
    const plans = [...this.#planned.values()];
    const stop = (): void => plans.forEach(({ owned }) => owned.dispose());
    signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await Promise.all(plans.map(({ warm }) => warm()));
    signal.removeEventListener('abort', stop);
    for (const key of this.#planned.keys()) this.#cancel(key);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const key of [...this.#planned.keys()]) this.#cancel(key);
  }

  #plan(key: string, request: ModelRequest, direct: ModelProvider, baseUrl: string): void {
    this.#cancel(key);
    if (this.#isDisposed) return;
    const owned = new DisposableStore();
    let warming: Promise<void> | undefined;
    const warm = (): Promise<void> => (warming ??= this.#warm(request, direct, baseUrl, owned));
    this.#planned.set(key, { owned, warm });
    owned.add(this.#parts.setTimer(() => void warm(), WARM_DELAY_MS));
  }

  #cancel(key: string): void {
    this.#planned.get(key)?.owned.dispose();
    this.#planned.delete(key);
  }

  /** Never rejects. A failure only leaves the cache cold. */
  async #warm(request: ModelRequest, direct: ModelProvider, baseUrl: string, planned: DisposableStore): Promise<void> {
    const slot = this.#parts.slots.acquireIdle(baseUrl);
    if (!slot) return;
    const abort = new AbortController();
    planned.add({ dispose: () => abort.abort() });
    try {
      const signal = AbortSignal.any([slot.signal, abort.signal]);
      for await (const event of direct.stream(request, { signal })) if (event.type === 'response_end') break;
    } finally {
      slot.release();
    }
  }
}

interface Plan {
  /** Its timer and its request. */
  readonly owned: DisposableStore;
  /** Sends its request, once. */
  readonly warm: () => Promise<void>;
}

/**
 * The beginning of the next request: the history with an empty user message, and no answer wanted. `undefined` when there is
 * no reasoning to drop, or the turn is not over.
 */
export function warmingRequest(request: ModelRequest, answer: ModelResponse): ModelRequest | undefined {
  // Reasoning that is always sent again is not dropped.
  if (request.replayReasoning === 'always') return undefined;
  if (answer.stopReason !== 'stop' || answer.content.length === 0) return undefined;
  const message: AssistantMessage = { role: 'assistant', content: answer.content, stopReason: answer.stopReason };
  const messages: readonly Message[] = [...request.messages, message];
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  if (!turn.some(hasThoughts)) return undefined;
  return {
    ...request,
    messages: [...messages, { role: 'user', content: '' }],
    sampling: { ...request.sampling, maxTokens: 0 },
  };
}

function hasThoughts(message: Message): boolean {
  return message.role === 'assistant' && message.content.some(({ type }) => type === 'thinking');
}
