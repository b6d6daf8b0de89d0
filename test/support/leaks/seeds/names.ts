import { markedFiles } from '../files';
import { read, write, type Seed } from './seed';

/** Names of files that hold secrets, or that decide what runs. */
export const nameSeeds: readonly Seed[] = [
  {
    name: 'reading every protected file by its name',
    given: () => ({
      way: 'headless',
      mode: 'acceptEdits',
      calls: markedFiles
        .filter(({ path, kind }) => kind !== 'ignored' && path.startsWith('ws/'))
        .map(({ path }) => read(path.slice('ws/'.length))),
    }),
  },
  {
    name: 'writing files that run code',
    given: () => ({
      way: 'headless',
      mode: 'acceptEdits',
      calls: [
        ...['.pylintrc', '.rubocop.yml', 'x.config.cjs', 'SConstruct', 'Tiltfile', 'wdio.conf.js', 'biome.json'],
        ...[
          '.git/hooks/pre-push',
          '.git/config',
          '.vscode/tasks.json',
          'package.json',
          'Makefile',
          '.envrc',
          '.rgignore',
        ],
        ...[
          'sub/.git/config',
          'sub/.git',
          '.gitattributes',
          '.gitmodules',
          'AGENTS.md',
          '.github/workflows/x.yml',
          'HEAD',
        ],
      ].map((name) => write(name, 'x\n')),
    }),
  },
];
