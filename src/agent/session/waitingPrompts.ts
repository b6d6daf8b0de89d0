import type { Client } from '../../sdk/client';
import type { PendingPrompt } from './runRecorder';

/** What the person says while a run goes on: kept until the run's client can hear it. */
export class WaitingPrompts {
  /** Said and not yet with the model, oldest first. Whoever records one takes it out. */
  readonly pending: PendingPrompt[] = [];
  /** Those of them that the client keeps until it can use them. */
  readonly #handed = new WeakSet<PendingPrompt>();
  #listener: Pick<Client, 'steer'> | undefined;

  add(prompt: PendingPrompt): void {
    this.pending.push(prompt);
    this.#hand(prompt);
  }

  /** From here on a client hears what the person says; what they said before is handed over. */
  listen(client: Pick<Client, 'steer'>): void {
    this.#listener = client;
    for (const prompt of this.pending) this.#hand(prompt);
  }

  /** The run is over: nobody hears. */
  endListening(): void {
    this.#listener = undefined;
  }

  #hand(prompt: PendingPrompt): void {
    if (this.#handed.has(prompt)) return;
    if (this.#listener?.steer(prompt.content)) this.#handed.add(prompt);
  }
}
