import { listProblems } from '../../problems';
import type { SplitProblems } from '../../sessionProblems';

export interface FileProblems extends SplitProblems {
  readonly displayPath: string;
}

const MAX_LISTED = 50;
/** Of one file, when there are several. */
const MAX_IN_FILE = 10;

const NEW = 'New since this session began:';
const OLDER = 'Older:';

/** The problems of one file for a model, the new ones first. Not empty. */
export function describeFile({ displayPath, fresh, older }: FileProblems): string {
  if (fresh.length === 0) return `${displayPath}:\n${listProblems(older)}`;
  const rest = older.length > 0 ? [OLDER, listProblems(older)] : [];
  return [`${displayPath}:`, NEW, listProblems(fresh), ...rest].join('\n');
}

/** The problems of several files: counts, then what is new in any of them, then the others. */
export function describeFiles(files: readonly FileProblems[]): string {
  const listed = new Listed();
  const fresh = files.filter((file) => file.fresh.length > 0);
  const older = files.filter((file) => file.older.length > 0);
  const parts = [countLine(files)];
  if (fresh.length > 0) parts.push(NEW, ...listed.take(fresh, 'fresh'));
  if (fresh.length > 0 && older.length > 0) parts.push(OLDER);
  parts.push(...listed.take(older, 'older'));
  if (listed.left > 0) parts.push(`and ${listed.left} more. Name a file to see all of its problems.`);
  return parts.join('\n');
}

class Listed {
  #room = MAX_LISTED;
  /** Problems of files that were left out. */
  left = 0;

  take(files: readonly FileProblems[], which: 'fresh' | 'older'): readonly string[] {
    const errors = (file: FileProblems): number => file[which].filter(({ severity }) => severity === 'error').length;
    const sorted = files.toSorted((a, b) => Number(errors(b) > 0) - Number(errors(a) > 0));
    return sorted.flatMap((file) => {
      const problems = file[which];
      const most = Math.min(MAX_IN_FILE, this.#room);
      if (most === 0) {
        this.left += problems.length;
        return [];
      }
      this.#room -= Math.min(most, problems.length);
      return [`${file.displayPath}:`, listProblems(problems, most)];
    });
  }
}

function countLine(files: readonly FileProblems[]): string {
  const all = files.flatMap(({ fresh, older }) => [...fresh, ...older]);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  const counts = [count(errors, 'error'), count(all.length - errors, 'warning')].filter((part) => part !== '');
  return `${counts.join(', ')} in ${count(files.length, 'file')}.`;
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}
