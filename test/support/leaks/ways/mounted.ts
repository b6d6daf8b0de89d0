import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../../../scripts/projectRoot';
import { commandLineFlags } from './commandLine';
import { PROMPT_TEXT, type RunWay } from './way';

/** Whether this process may mount folders, in a name space of its own. */
export function canMount(): boolean {
  return process.platform === 'linux' && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

/** The command line, in a process that sees `mounts`: the paths in the world that others are mounted at. */
export const runMounted: RunWay = async (given, parts) => {
  const { world } = parts;
  const mounts = Object.entries(given.mounts ?? {}).flatMap(([place, source]) => [
    path.join(world.top, source),
    path.join(world.top, place),
  ]);
  const script = 'while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 9; shift 2; done; shift; exec "$@"';
  const program = [process.execPath, '--import', 'tsx', path.join(projectRoot, 'src/cli/program.ts')];
  const flags = [...commandLineFlags(given, parts), '-p', given.prompt ?? PROMPT_TEXT];
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...mounts, '--', ...program, ...flags], {
    // The loader is found from here; the flags name the workspace.
    cwd: projectRoot,
    env: { ...world.environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { offers: [], log: stdout + stderr, questions: [] };
};
