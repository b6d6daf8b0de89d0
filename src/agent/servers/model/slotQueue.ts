import * as l10n from '../../../util/l10n';
import type { ModelProvider } from '../../../sdk/model/modelProvider';
import { serverKey } from '../serverKey';

/** A slot of a server. `release` may be called more than once. */
export interface Slot {
  release(): void;
}

/** A slot for background work. `signal` is aborted when a real request comes; then call `release` at once. */
export interface IdleSlot extends Slot {
  readonly signal: AbortSignal;
}

interface Endpoint {
  /** As the server reports it. */
  reported: number;
  size: number;
  /** How much smaller `size` is because the server was busy. It grows again. */
  lost: number;
  /** Answers since the server was last busy. */
  answers: number;
  active: number;
  /** Background work. Requests wait until it has ended. */
  idle: AbortController | undefined;
  readonly waiting: (() => void)[];
  /** Requests that let others go first. */
  readonly yielding: (() => void)[];
}

export interface SlotOptions {
  /** Lets requests without `yields` go first, even later ones: a program can wait, a person at the screen should not. */
  readonly yields?: boolean | undefined;
}

/**
 * Queues the requests of one process to each server: first come, first served, yielding requests last. Sends as many at once
 * as the server has slots, or one until that is known. With more requests than slots, a local server evicts prompt caches or
 * thrashes.
 */
export class SlotQueue {
  readonly #endpoints = new Map<string, Endpoint>();

  /** Sets the number of slots that the server reports. */
  setSize(baseUrl: string, slots: number): void {
    const endpoint = this.#endpoint(baseUrl);
    const reported = Math.max(1, Math.floor(slots) || 1);
    // The same number again does not undo `sendFewer`.
    if (reported === endpoint.reported) return;
    endpoint.reported = reported;
    endpoint.size = reported;
    endpoint.lost = 0;
    admit(endpoint);
  }

  /** Sends one request less at once than run now, at least one, until the server reports another number of slots. */
  sendFewer(baseUrl: string): void {
    const endpoint = this.#endpoint(baseUrl);
    endpoint.size = Math.max(1, Math.min(endpoint.size, endpoint.active - 1));
  }

  /** The server had no place for a request that holds a slot: sends one less at once, and more again after some answers. */
  noteBusy(baseUrl: string): void {
    const endpoint = this.#endpoint(baseUrl);
    const before = endpoint.size;
    this.sendFewer(baseUrl);
    endpoint.lost += before - endpoint.size;
    endpoint.answers = 0;
  }

  /** The server has answered a request. */
  noteAnswer(baseUrl: string): void {
    const endpoint = this.#endpoint(baseUrl);
    if (endpoint.lost === 0) return;
    endpoint.answers += 1;
    if (endpoint.answers < ANSWERS_BEFORE_MORE) return;
    endpoint.answers = 0;
    endpoint.lost -= 1;
    endpoint.size += 1;
    admit(endpoint);
  }

  /** The number of requests before a new one; 0 when a slot is free. */
  ahead(baseUrl: string, { yields = false }: SlotOptions = {}): number {
    const { active, size, waiting, yielding } = this.#endpoint(baseUrl);
    return active < size ? 0 : active - size + 1 + waiting.length + (yields ? yielding.length : 0);
  }

  /** Waits for a slot. `undefined` when `signal` was aborted first; its place in the queue is freed. */
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

  /** Takes a slot for background work; `undefined` while anything runs or waits at the server. */
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
    const key = serverKey(baseUrl);
    let endpoint = this.#endpoints.get(key);
    if (!endpoint) this.#endpoints.set(key, (endpoint = newEndpoint()));
    return endpoint;
  }
}

/** Answers without a rejection before one request more is sent at once. */
const ANSWERS_BEFORE_MORE = 8;

function newEndpoint(): Endpoint {
  return { reported: 1, size: 1, lost: 0, answers: 0, active: 0, idle: undefined, waiting: [], yielding: [] };
}

/**
 * Wraps `provider`. Each request waits for a slot at `baseUrl` and holds it until its stream ends. Between requests a
 * session holds no slot, so a running tool or a question blocks nobody.
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
        const detail = ahead === 1 ? l10n.t('behind another request') : l10n.t('behind {0} other requests', ahead);
        yield { type: 'status', status: 'queued', detail };
      }
      const slot = await queue.acquire(baseUrl, signal, options);
      if (!slot) {
        const message = l10n.t('Stopped while waiting for the model server.');
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
