import { edit, read, run, search, type Seed } from './seed';

/** Other names of protected files. They count by their inode. */
export const hardLinkSeeds: readonly Seed[] = [
  { name: 'reading a hard link', calls: [read('hard.txt'), read('src/hard.ts')] },
  { name: 'searching a hard link', calls: [search('TOKEN'), search('TOKEN', { path: 'hard.txt' })] },
  { name: 'a command that reads a hard link', calls: [run('cat hard.txt'), run('head src/hard.ts')] },
  { name: 'an edit of a hard link', calls: [edit('hard.txt', 'no such text'), edit('src/hard.ts', 'MODE', 'x')] },
  { name: 'a mention of a hard link', calls: [], prompt: 'Read @hard.txt please' },
].map(({ name, ...given }): Seed => ({
  name,
  given: () => ({ way: 'window', mode: 'acceptEdits', ...given }),
}));
