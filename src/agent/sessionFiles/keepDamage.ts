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
 * Copies the unreadable lines of a session's file byte for byte into `<name>.damaged` beside it. Returns the problems
 * that were not reported before. Does not touch the session's file.
 */
export async function keepDamage(
  bytes: Uint8Array,
  { problems }: Pick<LogContents, 'problems'>,
  { path, disk, token, canWrite, onInternalError }: KeepDamageOptions,
): Promise<readonly LogProblem[]> {
  const damaged = problems.filter(({ kind }) => kind !== 'newer');
  if (damaged.length === 0) return problems;
  const aside = `${path}.damaged`;
  try {
    const kept = (await unlessMissing(disk.readFile(aside))) ?? new Uint8Array();
    const known = new Set(linesOf(kept));
    const lines = linesOf(bytes);
    const fresh = problems.filter((problem) => problem.kind === 'newer' || !known.has(lines[problem.line - 1] ?? ''));
    const added = new Set(fresh.flatMap(({ kind, line }) => (kind === 'newer' ? [] : [lines[line - 1] ?? ''])));
    if (added.size === 0 || !canWrite) return fresh;
    const copy = Buffer.concat([kept, ...[...added].map((line) => Buffer.from(`${line}\n`, 'latin1'))]);
    await writeWhole(aside, copy, { disk, token });
    return fresh.map((problem) => (problem.kind === 'newer' ? problem : { ...problem, keptIn: aside }));
  } catch (error) {
    onInternalError(error);
    return problems;
  }
}

/** The lines without their ends. One character for each byte, so that bytes that are no text are kept. */
function linesOf(bytes: Uint8Array): readonly string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.split('\n');
}
