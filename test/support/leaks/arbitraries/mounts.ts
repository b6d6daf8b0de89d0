import * as fc from 'fast-check';
import { markedFiles } from '../files';
import type { LeakCall, LeakCase } from '../leakCase';
import { edit, list, read, search, write } from '../seeds/seed';

const PLACES = ['sub/inner', 'keys', 'src/deep', 'infra', 'config'];
const SOURCES = ['outside', 'home', 'outside/deep', 'ws-other', 'home/.ssh'];

/**
 * Names that are protected wherever they are. The credentials of AWS are known by their folder, so it is not mounted
 * alone.
 */
const SECRET_NAMES = /(?:^|\/)\.env$|\.ssh\/id_|\.aws\/credentials|\.bash_history/;

/**
 * Folders that are mounted in the workspace. They count as part of it, so their ordinary files may be read: `files`.
 * Those with a secret's name may not.
 */
export function mountedCase(): fc.Arbitrary<Pick<LeakCase, 'way' | 'mode' | 'calls' | 'mounts'> & { files: string[] }> {
  const mount = fc.tuple(fc.constantFrom(...PLACES), fc.constantFrom(...SOURCES));
  return fc.array(mount, { minLength: 1, maxLength: 2 }).chain((mounts) => {
    const inside = mounts.flatMap(([place, source]) =>
      markedFiles
        .filter(({ path }) => path.startsWith(`${source}/`))
        .map(({ path }) => `${place}/${path.slice(source.length + 1)}`),
    );
    const name = fc.constantFrom(...mounts.map(([place]) => place), ...inside);
    const call: fc.Arbitrary<LeakCall> = fc.oneof(
      name.map((path) => read(path)),
      name.map(list),
      name.map((path) => search('TOKEN', { path })),
      name.map((path) => edit(path, 'MODE=alpha')),
      name.map((path) => write(path, 'x')),
      ...['cat', 'ls -a', 'grep -r TOKEN', 'head', 'rg -uu MODE', 'wc', 'stat -c %n', 'diff a.txt'].map((program) =>
        name.map((path): LeakCall => ({
          name: 'run_terminal_command',
          arguments: { command: `${program} '${path}'` },
        })),
      ),
    );
    return fc
      .tuple(
        fc.array(call, { minLength: 4, maxLength: 12, size: 'max' }),
        fc.constantFrom('plan' as const, 'ask' as const),
      )
      .map(([calls, mode]) => ({
        way: 'mounted' as const,
        mode,
        calls,
        mounts: Object.fromEntries(mounts.map(([place, source]) => [`ws/${place}`, source])),
        files: ordinaryBelow(mounts.map(([, source]) => source)),
      }));
  });
}

function ordinaryBelow(sources: readonly string[]): string[] {
  const below = markedFiles
    .map(({ path }) => path)
    .filter((path) => sources.some((source) => path.startsWith(`${source}/`)) && !SECRET_NAMES.test(path));
  return [...below, 'a name outside'];
}
