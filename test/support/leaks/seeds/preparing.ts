import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { LeakCall, LeakCase, WayIn } from '../leakCase';
import { edit, list, read, run, search, write, type Seed } from './seed';

const WAYS: readonly WayIn[] = ['headless', 'terminal', 'endpoint', 'window'];
const MODES: readonly LeakCase['mode'][] = ['plan', 'ask', 'acceptEdits'];

/** Begins like the file, so that the most similar lines are all of it. */
const NEAR = '# settings\nno\nsuch\ntext\nhere';

/** Errors and results of calls whose reading nobody allowed. */
export const preparingSeeds: readonly Seed[] = [
  ...WAYS.map((way): Seed => ({
    name: `a wrong quote of a private key, ${way}`,
    given: ({ home }) => ({ way, mode: 'ask', calls: [edit(path.join(home, '.ssh/id_ed25519'), NEAR)] }),
    isSameInBothWorlds: true,
  })),
  ...MODES.map((mode): Seed => ({
    name: `a wrong quote of .env in the mode ${mode}`,
    given: () => ({ way: 'window', mode, calls: [edit('.env', NEAR), edit('.env', '# setting\nTOKEN=\nMODE=gamma')] }),
    isSameInBothWorlds: true,
  })),
  {
    name: 'a wrong quote of /etc/shadow',
    given: () => ({
      way: 'window',
      mode: 'ask',
      calls: [edit('/etc/shadow', 'root:*:19000:0:99999:7:::\nno\nsuch\ntext'), read('/etc/shadow')],
    }),
    secrets: linesOfShadow,
  },
  sameSeed('a guess at a line of .env', [edit('.env', 'MODE=alpha', 'MODE=gamma'), edit('.env', 'MODE=betas', 'x')]),
  sameSeed('an edit that leaves .env as it is', [edit('.env', 'MODE=alpha', 'MODE=alpha')]),
  sameSeed('a text that occurs several times in .env', [edit('.env', 'x'), edit('.env', 'x\nx')]),
  sameSeed('a guess at the whole of .env', [write('guess/.env', 'DEBUG=1\n'), write('guess/.env', 'DEBUG=0\n')]),
  {
    ...sameSeed('a guess at a file outside', []),
    given: ({ top }) => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: [
        write(path.join(top, 'outside/guess.txt'), 'DEBUG=1\n'),
        edit(path.join(top, 'outside/guess.txt'), 'DEBUG=1', 'x'),
        edit(path.join(top, 'outside/notes.txt'), 'MODE=alpha', 'x'),
      ],
    }),
  },
  ...(['outside/maybe', 'home/maybe', 'outside/maybe/below', 'home/maybe/file'] as const).map((name): Seed => ({
    ...sameSeed('', []),
    name: `whether ${name} exists, and what it is`,
    given: ({ top }) => {
      const file = path.join(top, name);
      const calls = [read(file), list(file), search('x', { path: file }), edit(file, 'x'), write(file, 'x')];
      return { way: 'window', mode: 'acceptEdits', calls: [...calls, run('ls', { cwd: file }), run(`ls ${file}`)] };
    },
  })),
  ...(['link-outside/maybe', 'link-home/maybe', 'link-outside/maybe/below'] as const).map((name): Seed => ({
    ...sameSeed('', []),
    name: `whether ${name} exists, through a link`,
    given: () => {
      const calls = [read(name), list(name), search('x', { path: name }), edit(name, 'x'), write(name, 'x')];
      return { way: 'window', mode: 'acceptEdits', calls: [...calls, run('ls', { cwd: name }), run(`ls ${name}`)] };
    },
  })),
  {
    name: 'a denied edit of .env in the log of the command line',
    given: () => ({ way: 'headless', mode: 'acceptEdits', calls: [edit('.env', 'TOKEN', 'x'), write('.env', 'x')] }),
  },
  {
    name: 'a denied edit of .env in the session file',
    given: () => ({ way: 'window', mode: 'acceptEdits', calls: [edit('.env', 'TOKEN', 'x'), write('.env', 'x')] }),
  },
];

function sameSeed(name: string, calls: readonly LeakCall[]): Seed {
  return { name, given: () => ({ way: 'window', mode: 'acceptEdits', calls }), isSameInBothWorlds: true };
}

function linesOfShadow(): readonly string[] {
  try {
    return readFileSync('/etc/shadow', 'utf8')
      .split('\n')
      .filter((line) => line.length > 8)
      .slice(0, 3);
  } catch {
    // Only root may read it: then nothing of it can leak.
    return [];
  }
}
