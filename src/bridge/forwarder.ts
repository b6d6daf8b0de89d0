import type { Disposable } from '../util/disposable';
import { asError } from '../util/errors';
import { createKeyFilter, type KeyFilter } from '../util/text/keyFilter';
import { withoutKey } from '../util/text/withoutKey';
import type { SetTimer } from '../util/timer';
import * as l10n from '../util/l10n';
import { judgeRequest, type AllowedRequest } from './allowedRequests';
import { toBase64 } from './base64';
import { limits, type BridgeEvent, type BridgeReply } from './messages';
import type { StartMessage } from './parseMessage';

export interface ForwarderParts {
  /** Follows no redirects. */
  readonly fetch: typeof fetch;
  /** Whether the window may use the server. May ask the person. */
  readonly isAllowed: (origin: string, mayAsk: boolean) => Promise<boolean>;
  /** The key that the person entered for the server on the laptop. */
  readonly keyOf: (origin: string) => Promise<string | undefined>;
  readonly newId: () => string;
  readonly setTimer: SetTimer;
  /** Called when a request begins, and when one ends. */
  readonly onChange: (origin: string) => void;
}

/**
 * Sends requests of a remote extension host, and hands out their answers in pieces: a command returns once, so the remote
 * asks for the next piece again and again. A request that nobody reads ends after `limits.leaseMs`, because its remote may
 * be gone.
 */
export class Forwarder implements Disposable {
  readonly #parts: ForwarderParts;
  readonly #open = new Map<string, OpenRequest>();
  /** Requests whose consent or key is awaited. */
  #starting = 0;
  #isDisposed = false;

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  /** The requests that are open now. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Never rejects because of the server: `read` tells its errors. */
  async start(message: StartMessage): Promise<BridgeReply> {
    const request = judgeRequest(message);
    if (!request)
      return refusal('request', l10n.t('The bridge does not send {0} to {1}.', message.path, message.origin));
    if (this.#open.size + this.#starting >= limits.openRequests) {
      return refusal('busy', l10n.t('More than {0} requests are open. Wait until one has ended.', limits.openRequests));
    }
    const { isAllowed, keyOf, newId, setTimer, onChange } = this.#parts;
    this.#starting += 1;
    try {
      if (!(await isAllowed(request.origin, message.mayAsk === true)))
        return refusal('consent', notAllowed(request.origin));
      const key = await keyOf(request.origin);
      // The person may have taken the consent back meanwhile.
      if (this.#isDisposed || !(await isAllowed(request.origin, false)))
        return refusal('consent', notAllowed(request.origin));
      const id = newId();
      const open = new OpenRequest(request, setTimer, () => {
        this.#open.delete(id);
        onChange(request.origin);
      });
      this.#open.set(id, open);
      onChange(request.origin);
      void open.send(this.#parts.fetch, key);
      return { kind: 'started', id };
    } finally {
      this.#starting -= 1;
    }
  }

  /** Waits until there is something to tell, for a while. */
  async read(id: string): Promise<BridgeReply> {
    const open = this.#open.get(id);
    if (!open) return refusal('gone', l10n.t('The request has ended.'));
    // Another window may have taken the consent back.
    if (!(await this.#parts.isAllowed(open.origin, false))) {
      open.dispose();
      return refusal('consent', notAllowed(open.origin));
    }
    return open.read();
  }

  cancel(id: string): BridgeReply {
    this.#open.get(id)?.dispose();
    return { kind: 'cancelled' };
  }

  /** Ends all requests to a server. */
  cancelAll(origin: string): void {
    for (const open of this.#open.values()) if (open.origin === origin) open.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const open of this.#open.values()) open.dispose();
  }
}

/** One request, from its start to the read of its last event. */
class OpenRequest implements Disposable {
  readonly #request: AllowedRequest;
  readonly #setTimer: SetTimer;
  readonly #onEnd: () => void;
  readonly #abort = new AbortController();
  #waiting: BridgeEvent[] = [];
  #waitingBytes = 0;
  #isComplete = false;
  #isOver = false;
  /** The `read` that waits for the next event. */
  #reader: ((reply: BridgeReply) => void) | undefined;
  /** Lets the server go on after a read. */
  #makeRoom: (() => void) | undefined;
  #timer: Disposable | undefined;

  constructor(request: AllowedRequest, setTimer: SetTimer, onEnd: () => void) {
    this.#request = request;
    this.#setTimer = setTimer;
    this.#onEnd = onEnd;
    this.#lease();
  }

  get origin(): string {
    return this.#request.origin;
  }

  /** Resolves when the answer is complete, has failed or was cancelled. */
  async send(fetch: typeof globalThis.fetch, key: string | undefined): Promise<void> {
    const { url, method, body, path } = this.#request;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'text/event-stream, application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: this.#abort.signal,
        // Only our own transport knows it.
        ...{ onSent: () => this.#tell({ type: 'sent' }) },
      });
      this.#tell({ type: 'head', status: response.status, headers: headersOf(response, key) });
      if (response.ok) {
        const maxBytes = path === '/v1/chat/completions' ? limits.completionBytes : limits.answerBytes;
        await this.#forward(response, { maxBytes, filter: createKeyFilter(key) });
      } else {
        await this.#forwardError(response, key);
      }
      this.#tell({ type: 'end' });
    } catch (error) {
      // Ends the connection when it was not the server that ended it.
      this.#abort.abort();
      this.#tell({ type: 'failed', ...describe(error) });
    }
  }

  read(): Promise<BridgeReply> {
    if (this.#reader) return Promise.resolve(refusal('busy', l10n.t('The request is being read.')));
    this.#timer?.dispose();
    if (this.#waiting.length > 0) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      this.#reader = resolve;
      this.#timer = this.#setTimer(() => this.#answer(), limits.readMs);
    });
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.dispose();
    this.#abort.abort();
    this.#waiting = [];
    this.#makeRoom?.();
    this.#reader?.(refusal('gone', l10n.t('The request was cancelled.')));
    this.#reader = undefined;
    this.#onEnd();
  }

  /** Some servers repeat a key in an answer that is no error. The remote must not learn it. */
  async #forward(
    response: Response,
    { maxBytes, filter }: { readonly maxBytes: number; readonly filter: KeyFilter | undefined },
  ): Promise<void> {
    const reader = response.body?.getReader();
    let total = 0;
    while (reader) {
      await this.#room();
      const { value, done } = await reader.read();
      if (done) break;
      total += value.byteLength;
      if (total > maxBytes) throw new Error(l10n.t('The answer has more than {0} MB.', maxBytes / 1e6));
      this.#tellPieces(filter ? filter.add(value) : value);
    }
    if (filter) this.#tellPieces(filter.end());
  }

  /** Some servers repeat a key that they reject. The remote must not learn it. */
  async #forwardError(response: Response, key: string | undefined): Promise<void> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    let total = 0;
    while (reader && total < limits.errorBytes) {
      const { value, done } = await reader.read();
      if (done) break;
      total += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
    // The end of a cut text may be the beginning of the key.
    const whole = total < limits.errorBytes ? text : text.slice(0, -(key?.length ?? 1));
    this.#tellPieces(new TextEncoder().encode(withoutKey(whole, key ?? '')));
  }

  #tellPieces(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) {
      this.#tellBytes(bytes.subarray(from, from + PIECE_BYTES));
    }
  }

  #tellBytes(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.byteLength;
    this.#tell({ type: 'data', base64: toBase64(bytes) });
  }

  #tell(event: BridgeEvent): void {
    if (this.#isOver || this.#isComplete) return;
    this.#isComplete = event.type === 'end' || event.type === 'failed';
    this.#waiting.push(event);
    this.#answer();
  }

  /** Resolves the `read` that waits, if one does. */
  #answer(): void {
    const reader = this.#reader;
    if (!reader) return;
    this.#reader = undefined;
    this.#timer?.dispose();
    reader(this.#take());
  }

  #take(): BridgeReply {
    const events = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#makeRoom?.();
    if (this.#isComplete) this.dispose();
    else this.#lease();
    return { kind: 'events', events };
  }

  #lease(): void {
    this.#timer = this.#setTimer(() => this.dispose(), limits.leaseMs);
  }

  /** Resolves when enough was read that the server may go on. */
  async #room(): Promise<void> {
    while (this.#waitingBytes >= limits.waitingBytes && !this.#isOver) {
      await new Promise<void>((resolve) => (this.#makeRoom = resolve));
    }
    this.#abort.signal.throwIfAborted();
  }
}

const PIECE_BYTES = 48_000;

export function refusal(
  reason: Extract<BridgeReply, { kind: 'refused' }>['reason'],
  message: string,
): BridgeReply & { readonly kind: 'refused' } {
  return { kind: 'refused', reason, message };
}

function notAllowed(origin: string): string {
  return l10n.t('You have not allowed this window to use {0} on your laptop.', origin);
}

/** The headers that the remote needs. */
function headersOf(response: Response, key: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of ['content-type', 'retry-after', 'location']) {
    const value = response.headers.get(name);
    if (value !== null) headers[name] = withoutKey(value, key ?? '').slice(0, 1_000);
  }
  return headers;
}

/** The error of the system, which a failed fetch holds as its cause. */
function describe(error: unknown): { readonly code: string; readonly message: string } {
  let found = { code: '', message: asError(error).message.slice(0, 500) };
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string') {
      found = { code: current.code.slice(0, 100), message: current.message.slice(0, 500) };
    }
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return found;
}
