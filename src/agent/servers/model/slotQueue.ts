import type { ModelProvider } from '../../../sdk/model/modelProvider';
import { endpointKey } from '../endpointKey';

/** A place at a server. `release` may be called more than once. */
export interface Slot {
  release(): void;
}

/** A place for work that nobody waits for. `signal` is aborted when a real request comes; then `release` at once. */
export interface IdleSlot extends Slot {
  readonly signal: AbortSignal;
}

interface Endpoint {
  size: number;
  active: number;
  /** Work that nobody waits for. No request is admitted before it has ended. */
  idle: AbortController | undefined;
  readonly waiting: (() => void)[];
  /** Those that let others go first. */
  readonly yielding: (() => void)[];
}

export interface SlotOptions {
  /** Whoever does not yield goes first, however late: a program can wait, a person at the screen does. */
  readonly yields?: boolean | undefined;
}

/**
 * The requests of one process to each endpoint, first come, first served, those that yield after the others: as many at
 * once as the server has slots, one until it says how many. A local server that gets more requests than it has slots evicts prompt caches or thrashes.
 */
export class SlotQueue {
  readonly #endpoints = new Map<string, Endpoint>();

  /** How many requests the server works on at once, as it reports. */
  setSize(baseUrl: string, slots: number): void {
    const endpoint = this.#endpoint(baseUrl);
    endpoint.size = Math.max(1, Math.floor(slots) || 1);
    admit(endpoint);
  }

  /** Requests that would go before a new one; 0 when a slot is free. */
  ahead(baseUrl: string, { yields = false }: SlotOptions = {}): number {
    const { active, size, waiting, yielding } = this.#endpoint(baseUrl);
    return active < size ? 0 : active - size + 1 + waiting.length + (yields ? yielding.length : 0);
  }

  /** Waits for a slot. `undefined` when `signal` was aborted first; the place in the queue is given up then. */
  acquire(baseUrl: string, signal: AbortSignal, { yields = false }: SlotOptions = {}): Promise<Slot | undefined> {
    const endpoint = this.#endpoint(baseUrl);
    const queue = yields ? endpoint.yielding : endpoint.waiting;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve(undefined);
        return;
      }
      const enter = () => {
        signal.removeEventListener('abort', leave);
        endpoint.active += 1;
        resolve(slotOf(endpoint));
      };
      const leave = () => {
        const place = queue.indexOf(enter);
        if (place >= 0) queue.splice(place, 1);
        resolve(undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      endpoint.idle?.abort();
      queue.push(enter);
      admit(endpoint);
    });
  }

  /** A place for work that nobody waits for; `undefined` while anything runs or waits at the endpoint. */
  acquireIdle(baseUrl: string): IdleSlot | undefined {
    const endpoint = this.#endpoint(baseUrl);
    const { active, waiting, yielding } = endpoint;
    if (active > 0 || waiting.length + yielding.length > 0 || endpoint.idle) return undefined;
    const idle = new AbortController();
    endpoint.idle = idle;
    const release = (): void => {
      if (endpoint.idle !== idle) return;
      endpoint.idle = undefined;
      admit(endpoint);
    };
    return { signal: idle.signal, release };
  }

  #endpoint(baseUrl: string): Endpoint {
    const key = endpointKey(baseUrl);
    let endpoint = this.#endpoints.get(key);
    if (!endpoint) this.#endpoints.set(key, (endpoint = newEndpoint()));
    return endpoint;
  }
}

function newEndpoint(): Endpoint {
  return { size: 1, active: 0, idle: undefined, waiting: [], yielding: [] };
}

/**
 * `provider`, with every request waiting for its slot at `baseUrl` and holding it until its stream has ended. Nothing
 * is held between requests, so a session that runs a tool or waits for a person blocks nobody.
 */
export function withSlot(
  provider: ModelProvider,
  queue: SlotQueue,
  baseUrl: string,
  options: SlotOptions = {},
): ModelProvider {
  return {
    async *stream(request, { signal }) {
      const ahead = queue.ahead(baseUrl, options);
      if (ahead > 0) {
        const detail = ahead === 1 ? 'behind another request' : `behind ${ahead} other requests`;
        yield { type: 'status', status: 'queued', detail };
      }
      const slot = await queue.acquire(baseUrl, signal, options);
      if (!slot) {
        const message = 'Stopped while waiting for the model server.';
        yield { type: 'error', error: { code: 'interrupted', message }, partial: [] };
        return;
      }
      try {
        yield* provider.stream(request, { signal });
      } finally {
        slot.release();
      }
    },
  };
}

function admit(endpoint: Endpoint): void {
  while (!endpoint.idle && endpoint.active < endpoint.size) {
    const enter = endpoint.waiting.shift() ?? endpoint.yielding.shift();
    if (!enter) return;
    enter();
  }
}

function slotOf(endpoint: Endpoint): Slot {
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      endpoint.active -= 1;
      admit(endpoint);
    },
  };
}
