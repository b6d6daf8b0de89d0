import { createHash } from 'node:crypto';
import * as z from 'zod';
import { relative } from 'node:path';
import type { FileChange } from '../../workspace/checkpoints/fileChange';
import { isInside } from '../../workspace/paths/roots';
import type { EditPlan } from '../../workspace/plans';
import type { Root } from '../../workspace/ports';

/** Completes "you have not seen what the agent changed in …". */
const IGNORED = 'files that git ignores (by commands in the sandbox)';

/** A file that the agent changed and nobody has looked at. */
const UnseenEdit = z.object({
  /** Absolute. */
  path: z.string(),
  displayPath: z.string(),
  /** SHA-256 in hex of its content before the first such change; `null`: it did not exist. */
  before: z.string().nullable(),
  /** Stands for the files of a folder that git ignores: nobody knows what a sandboxed command changed there. */
  isIgnored: z.literal(true).optional(),
});

export type UnseenEdit = Readonly<z.infer<typeof UnseenEdit>>;

/** Keeps the list beyond the window, in the user's storage for the workspace. */
export interface UnseenEditsMemory {
  /** The stored value, unchecked. */
  read(): unknown;
  write(edits: readonly UnseenEdit[]): PromiseLike<void>;
}

export interface UnseenEditsParts {
  readonly memory?: UnseenEditsMemory | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * The files that the agent changed and nobody has looked at. A command that runs code of the workspace could run code
 * that an attacker made the agent write. One object for all sessions of a workspace.
 */
export class UnseenEdits {
  readonly #parts: UnseenEditsParts;
  #edits: readonly UnseenEdit[];

  constructor(parts: UnseenEditsParts) {
    this.#parts = parts;
    this.#edits = z.array(UnseenEdit).catch([]).parse(parts.memory?.read());
  }

  /** One for each file, in the order of the changes. */
  get current(): readonly UnseenEdit[] {
    return this.#edits;
  }

  /** Whether the file is in the list, by the path that the model gave. */
  has(given: string): boolean {
    const plain = given.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
    return this.#edits.some(({ path, displayPath }) => displayPath === plain || path === given);
  }

  /** Call this before the file is written. */
  add({ target, before }: Pick<EditPlan, 'target' | 'before'>): void {
    if (this.#edits.some(({ path }) => path === target.path)) {
      // A new object: a person who is looking at the earlier change has not seen this one.
      this.#keep(this.#edits.map((edit) => (edit.path === target.path ? { ...edit } : edit)));
      return;
    }
    const hash = before === null ? null : createHash('sha256').update(before).digest('hex');
    this.#keep([...this.#edits, { path: target.path, displayPath: target.displayPath, before: hash }]);
  }

  /**
   * What sandboxed commands changed. Call this before the command runs, without changes, and when it has ended. `folders`: the
   * workspace folders.
   */
  addSandboxed(changes: readonly FileChange[], folders: readonly Root[]): void {
    const ignored = folders.map((root): UnseenEdit => ({
      path: root.path,
      displayPath: IGNORED,
      before: null,
      isIgnored: true,
    }));
    const changed = changes.map(({ path, before }): UnseenEdit => {
      const root = folders.find((folder) => isInside(path, folder.path));
      return { path, displayPath: root ? relative(root.path, path) : path, before: before?.hash ?? null };
    });
    const added = [...changed, ...ignored].filter(({ path }) => !this.#edits.some((edit) => edit.path === path));
    // New objects: a person who is looking at the earlier change has not seen this one.
    const again = this.#edits.map((edit) =>
      [...changed, ...ignored].some(({ path }) => path === edit.path) ? { ...edit } : edit,
    );
    this.#keep([...again, ...added]);
  }

  /** The person was shown the current content of these files. */
  markSeen(seen: readonly UnseenEdit[]): void {
    this.#keep(this.#edits.filter((edit) => !seen.includes(edit)));
  }

  /** The person was told that files which git ignores may have changed. */
  markIgnoredSeen(): void {
    this.#keep(this.#edits.filter((edit) => !edit.isIgnored));
  }

  #keep(edits: readonly UnseenEdit[]): void {
    this.#edits = edits;
    this.#parts.memory?.write(edits).then(undefined, this.#parts.onInternalError);
  }
}
