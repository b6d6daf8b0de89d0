import { misquotePairs } from '../test/support/edits/misquotePairs';
import {
  addTallies,
  formatTallies,
  measureMisquotes,
  type MisquoteExample,
} from '../test/support/edits/measureMisquotes';
import { kinds } from '../test/support/edits/kinds/all';
import { describeCase, measureKind, type KindTally, type Meant } from '../test/support/edits/kinds/measureKinds';
import { meanEdit, misquotes, readSources, type Misquote, type Source } from '../test/support/edits/sloppyEdits';
import { seededRandom } from '../test/support/seededRandom';
import { findRepositories, readHunks } from './support/repositoryHunks';
import { findSources, pickSources } from './support/sourceFiles';

const DEFAULTS = { seed: 1, seeds: 1, cases: 50 };
const MIN_SHARE = 0.9;

/**
 * Misquotes edits of the files of all installed packages, in every way and in every pair of ways, like the test with
 * its fixtures. No edit may apply wrongly. `--seed=N` is the first seed, `--seeds=N` the number of seeds, `--cases=N`
 * the number of cases for each way and seed. `--sources=FOLDER` names another source of files, and
 * `--show=wrong,refused,elsewhere` the outcomes to print. A second table has many more kinds of mistakes; with
 * `--repositories=FOLDER` in real changes of the git repositories in a folder, of the files of one `--half=tuning` or
 * `judging`.
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
  const isEachPairRight = measure(misquotePairs, 0);
  const half = valuesOf('half').at(-1) === 'tuning' ? 'tuning' : 'judging';
  const repositories = valuesOf('repositories').flatMap(findRepositories);
  const changes =
    repositories.length > 0
      ? repositories.flatMap((gitDir) => readHunks(gitDir, half))
      : syntheticChanges([...readSources(), ...pickSources(files, first)], first);
  print(
    `\n${changes.length} changes${repositories.length > 0 ? `, the ${half} half of ${repositories.length} repositories` : ''}:`,
  );
  return Promise.resolve(measureKinds(changes, { cases, seed: first, shown }, print) && isEachPairRight && isEachRight);
}

const CHANGES = 2000;

function syntheticChanges(sources: readonly Source[], seed: number): readonly Meant[] {
  const random = seededRandom(seed);
  return Array.from({ length: CHANGES }).flatMap(() => {
    const source = sources[Math.floor(random() * sources.length)];
    const text = source?.text.replaceAll('\r\n', '\n');
    const meant = text === undefined ? undefined : meanEdit(text, random, 1);
    return source && text !== undefined && meant ? [{ source: source.name, text, ...meant }] : [];
  });
}

/** Prints a table of all kinds. Whether nothing was wrong. */
function measureKinds(
  changes: readonly Meant[],
  { cases, seed, shown }: { readonly cases: number; readonly seed: number; readonly shown: readonly string[] },
  print: (line: string) => void,
): boolean {
  const sum = { right: 0, near: 0, refused: 0, wrong: 0 };
  for (const [index, kind] of kinds.entries()) {
    const random = seededRandom(seed * 1000 + index);
    const tally = measureKind(kind, { changes, cases, random }, (one) => {
      if (shown.includes(one.outcome)) print(describeCase(one));
    });
    for (const outcome of ['right', 'near', 'refused', 'wrong'] as const) sum[outcome] += tally[outcome];
    print(rowOf(kind.name, tally));
  }
  print(rowOf('all', sum));
  return sum.wrong === 0;
}

function rowOf(name: string, { right, near, refused, wrong }: KindTally): string {
  const count = right + near + refused + wrong;
  const share = count === 0 ? '-' : `${((100 * right) / count).toFixed(1)} %`;
  return `${name.padEnd(56)}${String(count).padStart(6)}  right ${share}, near ${near}, refused ${refused}, wrong ${wrong}`;
}

function describe(name: string, { outcome, source, line, edit, oldLines, newLines, result }: MisquoteExample): string {
  const quote = JSON.stringify({ oldText: edit.oldText, newText: edit.newText }, null, 1);
  return `\n### ${outcome}: ${name}, ${source}:${line}\n${quote}\nmeant ${JSON.stringify({ oldLines, newLines }, null, 1)}\n${result}`;
}
