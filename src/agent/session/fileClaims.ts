import { toDisposable, type Disposable } from '../../util/disposable';

/** Which session files this process writes: each has one writer. One object for the whole process. */
export class FileClaims {
  readonly #paths = new Set<string>();

  /** Takes the path until what is returned is disposed; `undefined` when somebody has it. */
  claim(path: string): Disposable | undefined {
    if (this.#paths.has(path)) return undefined;
    this.#paths.add(path);
    return toDisposable(() => this.#paths.delete(path));
  }
}
