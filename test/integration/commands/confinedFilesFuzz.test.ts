import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';

/** Generated commands against real bubblewrap and real git. Skipped where commands cannot be confined. */
describe('generated confined commands', () => {
  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
  });

  const folder = fc.constantFrom('.', 'a', 'a/b', 'r', 'r/s', 'n', 'node_modules/p');
  const name = fc.constantFrom(
    '.git',
    '.GIT',
    'x',
    'y',
    'a',
    'r',
    's',
    'HEAD',
    'objects',
    'refs',
    'commondir',
    'config',
  );
  const place = fc.tuple(folder, name).map((parts) => path.join(...parts));
  const step = fc.oneof(
    { weight: 3, arbitrary: place.map((at) => `repository ${at}`) },
    place.map((at) => `repository ${at} "worktree = $PWD/$(dirname ${at})"`),
    { weight: 2, arbitrary: fc.tuple(place, place).map(([from, to]) => `mv ${from} ${to}`) },
    fc.tuple(folder, place).map(([from, to]) => `mv ${from} ${to}`),
    fc.tuple(place, place).map(([from, to]) => `ln -s "$PWD/${from}" ${to}`),
    fc.tuple(place, place).map(([from, to]) => `cp -r ${from} ${to}`),
    fc.tuple(place, place).map(([from, to]) => `rm -f ${to}; echo "gitdir: $PWD/${from}" > ${to}`),
    fc.tuple(place, place).map(([from, to]) => `echo "$PWD/${from}" > ${to}`),
    place.map((at) => `rm -rf ${at}`),
    folder.map((at) => `mkdir -p ${at}`),
    folder.map((at) => `chmod 000 ${at}`),
  );

  it('leave nothing that git outside runs', async function () {
    this.timeout(600_000);
    const runs = Number(process.env['OPEN_AGENT_FUZZ_RUNS'] ?? 15);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        await using world = await createTemporaryFolder({
          'work/a/b/c.txt': 'c\n',
          'work/n/d.txt': 'd\n',
          'work/node_modules/p/package.json': '{}\n',
        });
        const work = path.join(world.path, 'work');
        const mark = path.join(world.path, 'mark');
        for (const at of ['r', 'r/s']) execFileSync('git', ['init', '-q', at], { cwd: work });
        const repository = `repository() { mkdir -p "$1/objects" "$1/refs/heads"
          printf '[core]\nbare = false\nrepositoryformatversion = 0\nfsmonitor = "touch ${mark} #"\n%s\n' "$2" > "$1/config"
          echo 'ref: refs/heads/main' > "$1/HEAD"; }`;
        const confinement = createConfinement({ home: world.path, setAsideFolder: path.join(world.path, 'aside') });
        const { ended } = await createNodeCommandRunner({ confinement }).run(
          {
            command: `${repository}\n${steps.join('\n')}\ntrue`,
            cwd: work,
            timeoutMs: 60_000,
            confinement: { allowsNetwork: false, writable: [work] },
          },
          { signal: new AbortController().signal, onOutput: () => {} },
        );
        assert.notEqual(ended, 'failed_to_start');
        spawnSync('chmod', ['-R', 'u+rwx', work]);
        for (const cwd of foldersIn(work)) {
          spawnSync('git', ['status'], { cwd, stdio: 'ignore', env: { PATH: process.env.PATH, HOME: world.path } });
          assert.equal(existsSync(mark), false, cwd);
        }
      }),
      { numRuns: runs },
    );
  });

  function foldersIn(work: string): readonly string[] {
    return [
      work,
      ...readdirSync(work, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    ].filter((one) => !/\/(?:hooks|info|branches|heads)(?:\/|$)/.test(one));
  }
});
