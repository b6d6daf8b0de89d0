import { toDisposable, type Disposable } from '../../util/disposable';
import type { CreateClientInput } from '../configuration/sessionClient';

/** The sessions that are talked to in the editor's own chat: their questions say so, because a person must know whose wish they grant. */
export class ChatSessions {
  readonly #ids = new Set<string>();

  /** The session answers in the chat until the result is disposed. */
  begin(sessionId: string): Disposable {
    this.#ids.add(sessionId);
    return toDisposable(() => this.#ids.delete(sessionId));
  }

  /** What a client is made of, with whoever asked in every question. */
  wrap(input: CreateClientInput): CreateClientInput {
    const { sessionId, ask } = input;
    return {
      ...input,
      ask: (question, options) => ask(this.#ids.has(sessionId) ? { ...question, askedBy: 'chat' } : question, options),
    };
  }
}
