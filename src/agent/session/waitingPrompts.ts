import type { Client } from '../../sdk/client';
import type { StoredImage } from '../../sdk/session/images/storedImage';
import type { WaitingItem, WhenSent, WhenSubmitted } from '../view/sessionView';

/** A prompt on its way to the model. `id` is its entry's. */
export interface PendingPrompt {
  readonly id: string;
  readonly text: string;
  /** The names of the context that `content` holds. */
  readonly contextLabels: readonly string[];
  readonly content: string;
  /** The permission mode that `content` tells the model, if it does. */
  readonly mode?: string | undefined;
  /** Never empty. */
  readonly images?: readonly StoredImage[] | undefined;
}

interface Waiting {
  readonly prompt: PendingPrompt;
  readonly when: WhenSent;
}

type SteeredClient = Pick<Client, 'steer' | 'unsteer'>;

/** The prompts that the model has not got: those for the next step, for the end of the run, and those that are held. */
export class WaitingPrompts {
  /** Oldest first. */
  #waiting: readonly Waiting[];
  /** The prompts that the client has taken and will use, oldest first. */
  #handed: readonly PendingPrompt[] = [];
  /** Recorded and not yet told, oldest first. */
  #sent: readonly PendingPrompt[] = [];
  #client: SteeredClient | undefined;

  constructor(held: readonly PendingPrompt[] = []) {
    this.#waiting = held.map((prompt) => ({ prompt, when: 'held' }));
  }

  /** As screens show them. */
  get items(): readonly WaitingItem[] {
    return this.#waiting.map(({ prompt: { id, text, contextLabels, images }, when }) => ({
      ...{ id, text, contextLabels, when },
      ...(images && { images }),
    }));
  }

  /** The modes that the waiting prompts will tell the model, oldest first. */
  get modes(): readonly (string | undefined)[] {
    return this.#waiting.flatMap(({ prompt, when }) => (when === 'held' ? [] : [prompt.mode]));
  }

  get prompts(): readonly PendingPrompt[] {
    return this.#waiting.map(({ prompt }) => prompt);
  }

  find(id: string): PendingPrompt | undefined {
    return this.prompts.find((prompt) => prompt.id === id);
  }

  add(prompt: PendingPrompt, when: WhenSubmitted): void {
    this.#waiting = [...this.#waiting, { prompt, when }];
    if (when === 'next_step') this.#hand(prompt);
  }

  /** Removes a waiting prompt. Returns `false` when the model has it already. */
  remove(id: string): boolean {
    const prompt = this.find(id);
    if (!prompt || !this.#takeBack(prompt)) return false;
    this.#waiting = this.#waiting.filter((waiting) => waiting.prompt !== prompt);
    return true;
  }

  /** The oldest prompt that the client takes with its next step. */
  get nextHanded(): PendingPrompt | undefined {
    return this.#handed[0];
  }

  /** Gives the client another content for a prompt that it has not sent. Returns `false` when the prompt is gone. */
  replaceHanded(prompt: PendingPrompt, next: PendingPrompt): boolean {
    if (!this.#handed.includes(prompt)) return false;
    const handed = this.#handed.map((one) => (one === prompt ? next : one));
    for (const { content } of this.#handed) this.#client?.unsteer(content);
    this.#handed = [];
    this.#waiting = this.#waiting.map((one) => (one.prompt === prompt ? { ...one, prompt: next } : one));
    for (const one of handed) this.#hand(one);
    return true;
  }

  /** The run has begun: from now on its client gets the prompts for the next step, also those that wait already. */
  listen(client: SteeredClient): void {
    this.#client = client;
    for (const { prompt, when } of this.#waiting) if (when === 'next_step') this.#hand(prompt);
  }

  /** The run has ended. The prompts that its client has not sent wait again. */
  endListening(): void {
    for (const prompt of this.#handed) this.#client?.unsteer(prompt.content);
    this.#handed = [];
    this.#client = undefined;
  }

  /** From now on only the person sends the waiting prompts. */
  hold(): void {
    this.#waiting = this.#waiting.map(({ prompt }) => ({ prompt, when: 'held' }));
  }

  /** Removes the oldest prompt that is not held: the one for the next run. */
  takeNext(): PendingPrompt | undefined {
    const next = this.#waiting.find(({ when }) => when !== 'held');
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    return next?.prompt;
  }

  /** Removes the prompts that a steering message of the client consists of. Several reach the model as one message. */
  takeSent(content: string): readonly PendingPrompt[] {
    const sent: PendingPrompt[] = [];
    let from = 0;
    for (const prompt of this.#handed) {
      const at = content.indexOf(prompt.content, from);
      if (at < 0) break;
      from = at + prompt.content.length;
      sent.push(prompt);
    }
    this.#handed = this.#handed.slice(sent.length);
    this.#waiting = this.#waiting.filter(({ prompt }) => !sent.includes(prompt));
    this.#sent = [...this.#sent, ...sent];
    return sent;
  }

  /** The prompts of `takeSent` since the last call. */
  drainSent(): readonly PendingPrompt[] {
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  #hand(prompt: PendingPrompt): void {
    if (this.#client?.steer(prompt.content)) this.#handed = [...this.#handed, prompt];
  }

  #takeBack(prompt: PendingPrompt): boolean {
    if (!this.#handed.includes(prompt)) return true;
    if (!this.#client?.unsteer(prompt.content)) return false;
    this.#handed = this.#handed.filter((handed) => handed !== prompt);
    return true;
  }
}
