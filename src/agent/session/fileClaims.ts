import { toDisposable, type Disposable } from '../../util/disposable';

/** The session files that this process has open: each by one session. One object for the whole process. */
export class FileClaims {
  readonly #paths = new Set<string>();

  /** Claims the path until the result is disposed; `undefined`: it is claimed already. */
  claim(path: string): Disposable | undefined {
    if (this.#paths.has(path)) return undefined;
    this.#paths.add(path);
    return toDisposable(() => this.#paths.delete(path));
  }
}
