import type { LogContents, LogProblem } from '../../sdk/session/readEntries';
import { unlessMissing, writeWhole, type WriteWholeOptions } from './sessionDisk';

export interface KeepDamageOptions extends Pick<WriteWholeOptions, 'disk' | 'token'> {
  /** The path of the session's file. */
  readonly path: string;
  /** `false`: nothing is written. */
  readonly canWrite: boolean;
  /** Gets the error when no copy can be made. The lines are still in the session's file then. */
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Copies the unreadable lines of a session's file byte for byte into `<name>.damaged` beside it, except very long lines.
 * Returns the problems that were not reported before. Does not touch the session's file.
 */
export async function keepDamage(
  { problems, unreadable }: Pick<LogContents, 'problems' | 'unreadable'>,
  { path, disk, token, canWrite, onInternalError }: KeepDamageOptions,
): Promise<readonly LogProblem[]> {
  const damaged = problems.filter(({ kind }) => kind !== 'newer');
  if (damaged.length === 0) return problems;
  const aside = `${path}.damaged`;
  try {
    const kept = (await unlessMissing(disk.readFile(aside))) ?? new Uint8Array();
    const known = new Set(textOf(kept).split('\n'));
    const copyable = (problem: LogProblem): string | undefined => {
      const bytes = problem.kind === 'newer' ? undefined : unreadable.get(problem.line);
      return bytes && textOf(bytes);
    };
    const fresh = problems.filter((problem) => !known.has(copyable(problem) ?? UNKNOWN));
    const added = new Set(fresh.flatMap((problem) => copyable(problem) ?? []));
    if (added.size === 0 || !canWrite) return fresh;
    const copy = Buffer.concat([kept, ...[...added].map((line) => Buffer.from(`${line}\n`, 'latin1'))]);
    await writeWhole(aside, copy, { disk, token });
    return fresh.map((problem) => (copyable(problem) === undefined ? problem : { ...problem, keptIn: aside }));
  } catch (error) {
    onInternalError(error);
    return problems;
  }
}

/** No line of a file. */
const UNKNOWN = '\n';

/** One character for each byte, so that bytes that are no text are kept. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
