import type { ServerResponse } from 'node:http';
import type { Disposable } from '../../util/disposable';

export interface EventStreamOptions {
  /** Runs `run` once, after so many milliseconds. */
  readonly setTimer: (run: () => void, delayMs: number) => Disposable;
  /** How long nothing may be said before a comment shows that somebody is there. */
  readonly silenceMs: number;
  /** How long a client may leave what it was sent unread. */
  readonly idleMs: number;
}

/** Server-sent events on one response. Once the client is gone it writes nothing, without an error. */
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
      // Proxies hold a stream back otherwise.
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
  }

  send(value: object): void {
    this.#write(`data: ${JSON.stringify(value)}\n\n`);
  }

  /** What clients pass over. */
  comment(text: string): void {
    this.#write(`: ${text.replace(/\s+/g, ' ')}\n\n`);
  }

  end(): void {
    this.#write('data: [DONE]\n\n');
    this.#silence?.dispose();
    if (!this.#response.destroyed) this.#response.end();
  }

  /** Resolves when the client has taken what was written, or is gone; one that takes nothing for too long is cut off. */
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
