import { toDisposable, type Disposable } from '../../util/disposable';
import type { CreateClientInput } from '../configuration/sessionClient';

/** The sessions that answer in VS Code's chat. Their questions say so, because a person must know who asks. */
export class ChatSessions {
  readonly #ids = new Set<string>();

  /** The session answers in the chat until the result is disposed. */
  begin(sessionId: string): Disposable {
    this.#ids.add(sessionId);
    return toDisposable(() => this.#ids.delete(sessionId));
  }

  /** The input for a client, with the chat named in every question. */
  wrap(input: CreateClientInput): CreateClientInput {
    const { sessionId, ask } = input;
    return {
      ...input,
      isInPanel: () => !this.#ids.has(sessionId),
      ask: (question, options) => ask(this.#ids.has(sessionId) ? { ...question, askedBy: 'chat' } : question, options),
    };
  }
}
