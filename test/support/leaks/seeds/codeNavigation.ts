import type { LeakCall } from '../leakCase';
import type { Seed } from './seed';

const QUESTIONS = ['references', 'definition', 'implementations', 'callers', 'hover', 'symbols', 'rename to renamed'];

const find = (symbol: string, question: string): LeakCall => ({
  name: 'find_symbol',
  arguments: { symbol, find: question },
});

/** A language server knows every file, protected ones and ones outside the workspace too. */
export const codeNavigationSeeds: readonly Seed[] = QUESTIONS.flatMap((question): Seed[] => [
  {
    name: `${question} of names that only protected files have`,
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: ['TOKEN', 'MODE', 'DEBUG', 'alpha', 'x'].map((name) => find(name, question)),
    }),
    isSameInBothWorlds: true,
  },
  {
    name: `${question} of names in files that ask`,
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: ['.env', 'link-key.txt', 'link-notes.txt', '../outside/notes.txt', 'src/secrets.json'].map((file) =>
        find(`TOKEN in ${file}`, question),
      ),
    }),
    isSameInBothWorlds: true,
  },
  {
    name: `${question} of names in ordinary files`,
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: ['answer', 'TOKEN in src/main.ts', 'x in src/deep/er/x.ts', 'src/main.ts'].map((name) =>
        find(name, question),
      ),
    }),
    // In this mode an ordinary rename is written without a question.
    ...(question.startsWith('rename') && { allowed: { changes: ['changed ws/src/main.ts'] } }),
    isSameInBothWorlds: true,
  },
]);
