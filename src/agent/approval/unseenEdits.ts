import * as z from 'zod';

/** Where the list outlives the window: the user's storage of the workspace, or nowhere. */
export interface UnseenEditsMemory {
  read(): unknown;
  write(displayPaths: readonly string[]): PromiseLike<void>;
}

export interface UnseenEditsParts {
  readonly memory?: UnseenEditsMemory | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The files that the agent changed without anybody having seen the change: what runs code of the workspace could run what
 * an attacker wrote there. One for all sessions of a workspace.
 */
export class UnseenEdits {
  readonly #parts: UnseenEditsParts;
  #displayPaths: readonly string[];

  constructor(parts: UnseenEditsParts) {
    this.#parts = parts;
    this.#displayPaths = z.array(z.string()).catch([]).parse(parts.memory?.read());
  }

  /** In the order of the changes. */
  get displayPaths(): readonly string[] {
    return this.#displayPaths;
  }

  /** Called before the file is written. */
  add(displayPath: string): void {
    if (!this.#displayPaths.includes(displayPath)) this.#keep([...this.#displayPaths, displayPath]);
  }

  /** The person was shown all changes of these files. */
  markSeen(displayPaths: readonly string[]): void {
    this.#keep(this.#displayPaths.filter((path) => !displayPaths.includes(path)));
  }

  #keep(displayPaths: readonly string[]): void {
    this.#displayPaths = displayPaths;
    this.#parts.memory?.write(displayPaths).then(undefined, this.#parts.onInternalError);
  }
}
