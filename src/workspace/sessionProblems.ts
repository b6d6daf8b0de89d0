import { listProblems, newProblems } from './problems';
import type { Diagnostics, Problem } from './ports';

interface Edited {
  readonly displayPath: string;
  /** The problems that are no news: those before the edit, and those that the model was told. */
  readonly told: readonly Problem[];
  /** The problems before the edit are known. */
  readonly isBeforeKnown: boolean;
}

type Known = Pick<Diagnostics, 'known' | 'settle' | 'untilSure'>;

/** How many edited files are followed; then the oldest edit is forgotten. */
const MAX_FOLLOWED = 50;

/** Tells the problems that are new in a session from older ones, and those that were reported after an edit had ended. */
export class SessionProblems {
  readonly #diagnostics: Known;
  /** The edited files by path, the newest edit last. */
  readonly #edited = new Map<string, Edited>();
  /** The files that were edited since the prompt. */
  readonly #sincePrompt = new Map<string, string>();
  /** The problems of each file when they were first known in the session. */
  readonly #first: Map<string, readonly Problem[]>;

  /** The session begins now. */
  constructor(diagnostics: Known) {
    this.#diagnostics = diagnostics;
    this.#first = new Map(diagnostics.known());
  }

  /**
   * The problems of a file that are no news to the model. `before`: those before an edit. Without those that an earlier edit
   * brought and that the model was not told. `undefined`: nothing is known.
   */
  knownBefore(path: string, before: readonly Problem[] | undefined): readonly Problem[] | undefined {
    const told = this.#edited.get(path)?.told;
    if (!told || !before) return before ?? told;
    const untold = new Set(newProblems(told, before));
    return before.filter((problem) => !untold.has(problem));
  }

  /** Follows a file that was edited. */
  follow(path: string, edited: Edited): void {
    this.#sincePrompt.set(path, edited.displayPath);
    this.#edited.delete(path);
    this.#edited.set(path, edited);
    const [oldest] = this.#edited.keys();
    if (this.#edited.size > MAX_FOLLOWED && oldest !== undefined) this.#edited.delete(oldest);
  }

  /** A prompt begins a run. */
  beginRun(): void {
    this.#sincePrompt.clear();
  }

  /** The errors in the files that were edited since the prompt, without those that are older than the session. */
  async newErrors(
    signal: AbortSignal,
  ): Promise<readonly { readonly displayPath: string; readonly errors: readonly Problem[] }[]> {
    if (this.#sincePrompt.size === 0) return [];
    // What is known right after an edit may be about the text before.
    await this.#diagnostics.settle?.([...this.#sincePrompt.keys()], { signal });
    await this.#diagnostics.untilSure?.(() => this.#errorsSincePrompt().length > 0, { signal });
    return this.#errorsSincePrompt();
  }

  /** For the model: the new problems of edited files that were reported since it was told. `undefined`: there are none. */
  async takeLate(signal: AbortSignal): Promise<string | undefined> {
    if (this.#late().length > 0) await this.#diagnostics.untilSure?.(() => this.#late().length > 0, { signal });
    const parts = this.#late().map(({ path, edited, fresh }) => {
      const { displayPath, told, isBeforeKnown } = edited;
      this.#edited.set(path, { ...edited, told: [...told, ...fresh], isBeforeKnown: true });
      const what = isBeforeKnown
        ? `New problems in ${displayPath} since its edit`
        : `Problems in ${displayPath} now (some may be older)`;
      return `${what}:\n${listProblems(fresh)}`;
    });
    return parts.length === 0 ? undefined : parts.join('\n');
  }

  /** Notes the problems of a file before the session's first change of it. Later calls for the file have no effect. */
  noteBefore(path: string, problems: readonly Problem[]): void {
    if (!this.#first.has(path)) this.#first.set(path, problems);
  }

  #errorsSincePrompt() {
    const known = this.#diagnostics.known();
    return [...this.#sincePrompt].flatMap(([path, displayPath]) => {
      const { fresh } = this.split(path, known.get(path) ?? []);
      const errors = fresh.filter(({ severity }) => severity === 'error');
      return errors.length === 0 ? [] : [{ displayPath, errors }];
    });
  }

  /** The problems of edited files that the model was not told. */
  #late() {
    if (this.#edited.size === 0) return [];
    const known = this.#diagnostics.known();
    return [...this.#edited].flatMap(([path, edited]) => {
      const fresh = newProblems(edited.told, known.get(path) ?? []);
      return fresh.length === 0 ? [] : [{ path, edited, fresh }];
    });
  }

  /**
   * The problems of a file, split. If nothing was known of the file when the session began or first changed it, its problems
   * count as older.
   */
  split(path: string, problems: readonly Problem[]): SplitProblems {
    const first = this.#first.get(path);
    if (!first) return { fresh: [], older: problems };
    const fresh = newProblems(first, problems);
    const known = new Set(fresh);
    return { fresh, older: problems.filter((problem) => !known.has(problem)) };
  }
}

export interface SplitProblems {
  /** New since the session began. */
  readonly fresh: readonly Problem[];
  readonly older: readonly Problem[];
}
