import { withAddedText } from '../../../agent/view/prompt/draftText';
import type { WorkspaceMemory } from '../../workspace/memory';

const draftKey = 'openAgent.draft';

/** Keeps typed text until a session's file holds it, so a crash loses nothing. */
export class Drafts {
  readonly #memory: WorkspaceMemory;
  readonly #onInternalError: (error: unknown) => void;
  #draft: string;
  /** Sent prompts that no file holds yet, oldest first. */
  #unwritten: readonly string[] = [];

  constructor(parts: { readonly memory: WorkspaceMemory; readonly onInternalError: (error: unknown) => void }) {
    this.#memory = parts.memory;
    this.#onInternalError = parts.onInternalError;
    const draft = parts.memory.get(draftKey);
    this.#draft = typeof draft === 'string' ? draft : '';
  }

  get draft(): string {
    return this.#draft;
  }

  async saveDraft(text: string): Promise<void> {
    this.#draft = text;
    await this.#keep();
  }

  /** Notes a prompt that is being sent. The draft still holds it. */
  sending(text: string): void {
    this.#unwritten = [...this.#unwritten, text];
  }

  /** Clears the draft when it is the prompt that the session has taken. */
  async sent(text: string): Promise<void> {
    if (this.#draft.trim() === text.trim()) await this.saveDraft('');
  }

  /** Puts a failed prompt into the draft, above text typed since. */
  async sendFailed(text: string): Promise<void> {
    this.#unwritten = [];
    const draft = this.#draft.trim();
    if (draft === '') await this.saveDraft(text);
    else if (draft !== text.trim()) await this.saveDraft(`${text}\n\n${this.#draft}`);
  }

  /** Replaces the typed text in the draft. Puts a `text` that is not empty above a draft that has changed since. */
  async replace(typed: string, text: string): Promise<void> {
    if (this.#draft.trim() === typed.trim()) await this.saveDraft(text);
    else if (text !== '') await this.addAbove(text);
  }

  /** Puts a text above the current draft. */
  async addAbove(text: string): Promise<void> {
    await this.saveDraft(this.#draft === '' ? text : `${text}\n\n${this.#draft}`);
  }

  /** Adds a text at the end of the draft. */
  async add(text: string): Promise<void> {
    await this.saveDraft(withAddedText(this.#draft, text));
  }

  /** Notes that the oldest sent prompt is in its file. */
  written(): void {
    this.#setUnwritten(this.#unwritten.slice(1));
  }

  /** Notes that a prompt is on file although the model has not got it. */
  keptWaiting(text: string): void {
    const index = this.#unwritten.lastIndexOf(text);
    if (index >= 0) this.#setUnwritten(this.#unwritten.toSpliced(index, 1));
  }

  /** Notes that no prompt is being sent any more. */
  settled(): void {
    this.#setUnwritten([]);
  }

  /** Forgets the sent prompts: those of an earlier session are left alone. */
  forgetSent(): void {
    this.#unwritten = [];
  }

  #setUnwritten(prompts: readonly string[]): void {
    if (prompts.length === this.#unwritten.length) return;
    this.#unwritten = prompts;
    this.#keep().catch(this.#onInternalError);
  }

  async #keep(): Promise<void> {
    const words = [...this.#unwritten, this.#draft].filter((text) => text !== '');
    await this.#memory.update(draftKey, words.length === 0 ? undefined : words.join('\n\n'));
  }
}
