import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { EditPlan } from '../../workspace/plans';

/** A file that the agent changed without anybody having seen the change. */
const UnseenEdit = z.object({
  /** Absolute. */
  path: z.string(),
  displayPath: z.string(),
  /** SHA-256 in hex of what it held before the first such change; `null`: it was not there. */
  before: z.string().nullable(),
});

export type UnseenEdit = Readonly<z.infer<typeof UnseenEdit>>;

/** Where the list outlives the window: the user's storage of the workspace, or nowhere. */
export interface UnseenEditsMemory {
  /** Whatever is there. */
  read(): unknown;
  write(edits: readonly UnseenEdit[]): PromiseLike<void>;
}

export interface UnseenEditsParts {
  readonly memory?: UnseenEditsMemory | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * What the agent changed without anybody having seen the change: a command that runs code of the workspace could run what
 * an attacker had it write there. One for all sessions of a workspace.
 */
export class UnseenEdits {
  readonly #parts: UnseenEditsParts;
  #edits: readonly UnseenEdit[];

  constructor(parts: UnseenEditsParts) {
    this.#parts = parts;
    this.#edits = z.array(UnseenEdit).catch([]).parse(parts.memory?.read());
  }

  /** In the order of the changes, one for each file. */
  get current(): readonly UnseenEdit[] {
    return this.#edits;
  }

  /** Whether a change of the file is among them, by its path as the model gives it. */
  has(given: string): boolean {
    const plain = given.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    return this.#edits.some(({ path, displayPath }) => displayPath === plain || path === given);
  }

  /** To be called before the file is written. */
  add({ target, before }: Pick<EditPlan, 'target' | 'before'>): void {
    if (this.#edits.some(({ path }) => path === target.path)) {
      // Another object: whoever is being shown the one before has not seen this change.
      this.#keep(this.#edits.map((edit) => (edit.path === target.path ? { ...edit } : edit)));
      return;
    }
    const hash = before === null ? null : createHash('sha256').update(before).digest('hex');
    this.#keep([...this.#edits, { path: target.path, displayPath: target.displayPath, before: hash }]);
  }

  /** The person was shown what became of these files. */
  markSeen(seen: readonly UnseenEdit[]): void {
    this.#keep(this.#edits.filter((edit) => !seen.includes(edit)));
  }

  #keep(edits: readonly UnseenEdit[]): void {
    this.#edits = edits;
    this.#parts.memory?.write(edits).then(undefined, this.#parts.onInternalError);
  }
}
