import { misquotePairs } from '../test/support/edits/misquotePairs';
import {
  addTallies,
  formatTallies,
  measureMisquotes,
  type MisquoteExample,
} from '../test/support/edits/measureMisquotes';
import { misquotes, readSources, type Misquote } from '../test/support/edits/sloppyEdits';
import { findSources, pickSources } from './support/sourceFiles';

const DEFAULTS = { seed: 1, seeds: 1, cases: 50 };
const MIN_SHARE = 0.9;

/**
 * Misquotes edits of the files of all installed packages, in every way and in every pair of ways, like the test with its
 * fixtures. No edit may apply wrongly. `--seed=N` is the first seed, `--seeds=N` the number of seeds, `--cases=N` the
 * number of cases for each way and seed. `--sources=FOLDER` names another source of files, and
 * `--show=wrong,refused,elsewhere` the outcomes to print.
 */
export function run(print: (line: string) => void, flags: readonly string[]): Promise<boolean> {
  const valuesOf = (name: string): readonly string[] =>
    flags.filter((flag) => flag.startsWith(`--${name}=`)).map((flag) => flag.slice(name.length + 3));
  const numberOf = (name: keyof typeof DEFAULTS): number => Number(valuesOf(name).at(-1) ?? DEFAULTS[name]);
  const [first, count, cases] = [numberOf('seed'), numberOf('seeds'), numberOf('cases')];
  const shown = valuesOf('show').at(-1)?.split(',') ?? ['wrong'];
  const files = findSources(['node_modules', ...valuesOf('sources')]);
  print(`seeds ${first} to ${first + count - 1}, ${cases} cases each for every way and every pair of ways, in files:`);
  print([...files].map(([kind, paths]) => `${kind} ${paths.length}`).join(', '));

  const measure = (ways: readonly Misquote[], minShare: number): boolean => {
    const tallies = new Map(
      ways.map((way, index) => {
        const seeds = Array.from({ length: count }, (_, offset) => first + offset);
        const all = seeds.map((seed) =>
          measureMisquotes(way, {
            sources: [...readSources(), ...pickSources(files, seed)],
            cases,
            seed: seed * 1000 + index,
          }),
        );
        return [way.name, addTallies(all)] as const;
      }),
    );
    print(formatTallies(tallies));
    for (const [name, { examples }] of tallies) {
      for (const example of examples) if (shown.includes(example.outcome)) print(describe(name, example));
    }
    return [...tallies.values()].every(
      ({ landed, refused, wrong }) => wrong === 0 && landed >= minShare * (landed + refused),
    );
  };
  const isEachRight = measure(misquotes, MIN_SHARE);
  return Promise.resolve(measure(misquotePairs, 0) && isEachRight);
}

function describe(name: string, { outcome, source, line, edit, oldLines, newLines, result }: MisquoteExample): string {
  const quote = JSON.stringify({ oldText: edit.oldText, newText: edit.newText }, null, 1);
  return `\n### ${outcome}: ${name}, ${source}:${line}\n${quote}\nmeant ${JSON.stringify({ oldLines, newLines }, null, 1)}\n${result}`;
}
