import type { ServerResponse } from 'node:http';
import type { Disposable } from '../../util/disposable';

export interface EventStreamOptions {
  /** Calls `run` once, after `delayMs`. */
  readonly setTimer: (run: () => void, delayMs: number) => Disposable;
  /** Sends a comment after this long without an event. */
  readonly silenceMs: number;
  /** Closes the connection when the client reads nothing for this long. */
  readonly idleMs: number;
}

/** Server-sent events on one response. Writes nothing once the client has disconnected; that is no error. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #options: EventStreamOptions;
  #silence: Disposable | undefined;

  constructor(response: ServerResponse, options: EventStreamOptions) {
    this.#response = response;
    this.#options = options;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // Keeps proxies from buffering the stream.
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
  }

  send(value: object): void {
    this.#write(`data: ${JSON.stringify(value)}\n\n`);
  }

  /** Sends a comment. Clients ignore it. */
  comment(text: string): void {
    this.#write(`: ${text.replace(/\s+/g, ' ')}\n\n`);
  }

  end(): void {
    this.#write('data: [DONE]\n\n');
    this.#silence?.dispose();
    if (!this.#response.destroyed) this.#response.end();
  }

  /**
   * Resolves when the client has read what was written, or has disconnected. Disconnects a client that reads nothing
   * for too long.
   */
  async drained(): Promise<void> {
    const response = this.#response;
    if (response.destroyed || !response.writableNeedDrain) return;
    await new Promise<void>((resolve) => {
      const timer = this.#options.setTimer(() => response.destroy(), this.#options.idleMs);
      const done = (): void => {
        timer.dispose();
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.once('drain', done);
      response.once('close', done);
    });
  }

  #write(text: string): void {
    this.#silence?.dispose();
    if (this.#response.destroyed) return;
    this.#response.write(text);
    this.#silence = this.#options.setTimer(() => this.comment('still working'), this.#options.silenceMs);
  }
}
