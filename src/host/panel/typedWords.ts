import type { WorkspaceMemory } from '../workspace/memory';

const draftKey = 'openAgent.draft';

/** What the person typed and is not in a session's file yet: kept over a crash, so that no words are lost. */
export class TypedWords {
  readonly #memory: WorkspaceMemory;
  readonly #onInternalError: (error: unknown) => void;
  #draft: string;
  /** Sent, oldest first. */
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

  /** A prompt is on its way. It is kept with the draft, which still holds it. */
  sending(text: string): void {
    this.#unwritten = [...this.#unwritten, text];
  }

  /** The prompt is with its session: it is no draft any more. */
  async sent(text: string): Promise<void> {
    if (this.#draft.trim() === text.trim()) await this.saveDraft('');
  }

  /** The prompt could not be sent: it is in the draft again, above what was typed since. */
  async returned(text: string): Promise<void> {
    this.#unwritten = [];
    const draft = this.#draft.trim();
    if (draft === '') await this.saveDraft(text);
    else if (draft !== text.trim()) await this.saveDraft(`${text}\n\n${this.#draft}`);
  }

  /** Something comes in the place of what was typed; above what is typed now, where that is something else. */
  async replace(typed: string, text: string): Promise<void> {
    if (this.#draft.trim() === typed.trim()) await this.saveDraft(text);
    else await this.takenBack(text);
  }

  /** Words that were taken back come above what is being typed. */
  async takenBack(text: string): Promise<void> {
    await this.saveDraft(this.#draft === '' ? text : `${text}\n\n${this.#draft}`);
  }

  /** The oldest prompt that was sent is on file. */
  written(): void {
    this.#setUnwritten(this.#unwritten.slice(1));
  }

  /** Nothing is on its way any more. */
  settled(): void {
    this.#setUnwritten([]);
  }

  /** Another session is on screen: what was sent to the one before is its affair. */
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
