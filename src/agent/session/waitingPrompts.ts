import type { Client } from '../../sdk/client';
import type { PendingPrompt } from './runRecorder';

/** The prompts that a person sends during a run, kept until the run's client takes them. */
export class WaitingPrompts {
  /** Not yet with the model, oldest first. The recorder removes each one that it writes. */
  readonly pending: PendingPrompt[] = [];
  /** The prompts that the client has taken and will use. */
  readonly #handed = new WeakSet<PendingPrompt>();
  #listener: Pick<Client, 'steer'> | undefined;

  add(prompt: PendingPrompt): void {
    this.pending.push(prompt);
    this.#hand(prompt);
  }

  /** From now on the client gets the prompts, also those that wait already. */
  listen(client: Pick<Client, 'steer'>): void {
    this.#listener = client;
    for (const prompt of this.pending) this.#hand(prompt);
  }

  /** The run has ended: prompts wait again. */
  endListening(): void {
    this.#listener = undefined;
  }

  #hand(prompt: PendingPrompt): void {
    if (this.#handed.has(prompt)) return;
    if (this.#listener?.steer(prompt.content)) this.#handed.add(prompt);
  }
}
