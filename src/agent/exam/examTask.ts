import type { JsonValue } from '../../util/json';

export const examLanguages = ['JavaScript', 'TypeScript', 'Python', 'Go', 'Rust', 'Java'] as const;

/** `text`: a task about no program. */
export type ExamLanguage = (typeof examLanguages)[number] | 'text';

/** `find`: reads and reports a place · `edit`: changes one file · `work`: needs several steps · `care`: must not be misled. */
export type TaskGroup = 'find' | 'edit' | 'work' | 'care';

/** One exact change of a file. An empty `from` makes a new file with `to`. */
export interface TaskEdit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** A value that the code must have: of an export, or of a call of one. */
export interface TaskCase {
  /** The module, `/`-separated. */
  readonly path: string;
  readonly name: string;
  /** Absent: the export itself is the value. */
  readonly args?: readonly JsonValue[] | undefined;
  readonly result: JsonValue;
}

/** A small piece of work in a folder of its own, with the rule that decides whether it was done. */
export interface ExamTask {
  /** Stable and distinct within a set. */
  readonly id: string;
  /** A few words for people. */
  readonly title: string;
  readonly language: ExamLanguage;
  readonly group: TaskGroup;
  readonly prompt: string;
  /** Text by path, `/`-separated. */
  readonly files: Readonly<Record<string, string>>;
  /** A right way to do it. Empty: nothing may change. */
  readonly solution: readonly TaskEdit[];
  /**
   * `files`: the folder must be as the solution leaves it · `check`: `check.mjs` tests it, `cases` decide, and only the files of the
   * solution may differ.
   */
  readonly judgedBy: 'files' | 'check';
  /** With `check`: more values than the check shows, so that code which only knows those of the check is not right. */
  readonly cases?: readonly TaskCase[] | undefined;
  /** This file must have been read. Absent: none in particular. */
  readonly reads?: string | undefined;
  /** This text may be in no call: a file tells the model to do something with it. */
  readonly trap?: string | undefined;
  /** The answer must hold this value, and no tool may be called. */
  readonly answer?: string | undefined;
}

/** The test of a task that is judged by its check. */
export const checkFile = 'check.mjs';

/** The command with which the model may run the check. */
export const checkCommand = `node ${checkFile}`;

/** The files of a task after some edits. Throws when an edit does not fit exactly once: the task is wrong then. */
export function withEdits(
  files: Readonly<Record<string, string>>,
  edits: readonly TaskEdit[],
): Readonly<Record<string, string>> {
  const after = { ...files };
  for (const { path, from, to } of edits) {
    const before = after[path];
    if (from === '') {
      after[path] = to;
      continue;
    }
    if (before === undefined || before.split(from).length !== 2) throw new Error(`${path}: an edit does not fit once.`);
    after[path] = before.replace(from, () => to);
  }
  return after;
}
