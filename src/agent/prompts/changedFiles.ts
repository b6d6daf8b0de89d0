import { fenceFor } from './fence';

/** A file that a commit contains or will contain. */
export interface ChangedFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  /** Its diff, or the whole text of a new file. Absent: left out, because it may hold secrets or is no text. */
  readonly change?: string | undefined;
  /** In place of a change that is too long: what a model said about it. */
  readonly summary?: string | undefined;
}

const MAX_NAMES = 60;

/** The changes, each in a fence, then the names of the files without one. Long changes are cut, so that every file is seen. */
export function changedFilesText(files: readonly ChangedFile[], maxCharacters: number): readonly string[] {
  const changes = files.flatMap(({ path, change }) => (change === undefined ? [] : [{ path, change }]));
  const share = fairShare(
    changes.map(({ change }) => change.length),
    maxCharacters,
  );
  const parts = changes.map(({ path, change }) => {
    const text = cutLines(change, share);
    const fence = fenceFor(text);
    return `${path}:\n${fence}diff\n${text}\n${fence}`;
  });
  for (const { path, summary } of files) {
    if (summary === undefined) continue;
    const fence = fenceFor(summary);
    parts.push(`${path}, too long to show, in short:\n${fence}\n${summary}\n${fence}`);
  }
  const unseen = files
    .filter(({ change, summary }) => change === undefined && summary === undefined)
    .map(({ path }) => path);
  if (unseen.length > 0) {
    const more = unseen.length > MAX_NAMES ? `\n(${unseen.length - MAX_NAMES} more)` : '';
    const names = unseen.slice(0, MAX_NAMES).map((path) => `- ${path}`);
    parts.push(`Also changed, not shown:\n${names.join('\n')}${more}`);
  }
  return parts;
}

/** The most characters of one text, so that all together fit: short ones are whole, long ones get the same. */
export function fairShare(lengths: readonly number[], max: number): number {
  let left = max;
  const byLength = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of byLength.entries()) {
    const share = Math.floor(left / (byLength.length - index));
    if (length > share) return share;
    left -= length;
  }
  return max;
}

function cutLines(text: string, max: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= max) return trimmed;
  const kept = trimmed.slice(0, max);
  const whole = kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0));
  const omitted = trimmed.slice(whole.length).trimStart().split('\n').length;
  return `${whole}\n(${omitted} more lines)`;
}
