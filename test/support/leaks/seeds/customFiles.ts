import { placeCustomFiles, type CustomFile } from '../arbitraries/customFiles';
import { importAll } from '../importAll';
import { edit, list, read, run, search, write, type Seed } from './seed';

const PLACES = [
  '.github/skills/s/SKILL.md',
  '.claude/skills/s/SKILL.md',
  '.github/prompts/p.prompt.md',
  'src/AGENTS.md',
];

/** Skills, prompt files and instructions that are other names of files that may not be read, and images and notebooks. */
export const customFileSeeds: readonly Seed[] = [
  ...PLACES.flatMap((name) =>
    (['.ssh/skill.md', '../outside/skill.md'] as const).map((target) =>
      placed({ name: `ws/${name}`, kind: 'link', target }),
    ),
  ),
  placed({ name: 'ws/.github/skills/s/SKILL.md', kind: 'linked folder', target: '.ssh/skill.md' }),
  placed({ name: 'ws/.github/prompts/p.prompt.md', kind: 'two links', target: '.ssh/skill.md' }),
  placed({ name: 'home/.open-agent/skills/s/SKILL.md', kind: 'link', target: '.ssh/skill.md' }),
  placed({ name: 'home/.open-agent/prompts/p.prompt.md', kind: 'link', target: '.ssh/skill.md' }),
  ...['photo.png', 'book.ipynb'].map((name): Seed => ({
    name: `${name} of other folders and by other names`,
    given: ({ top }) => ({
      way: 'window',
      mode: 'acceptEdits',
      prompt: `Look at @../outside/${name} and @link-${name} and @.ssh/${name}`,
      calls: [
        ...[
          `../outside/${name}`,
          `link-${name}`,
          `.ssh/${name}`,
          'link-own-photo.png',
          `${top}/outside/${name}`,
        ].flatMap((path) => [
          read(path),
          edit(path, 't = '),
          write(path, '# %% [python]\nx\n'),
          search('t = ', { path }),
        ]),
        ...[search('stdout'), search('t = ', { glob: '*.ipynb' })],
      ],
    }),
  })),
];

function placed(file: CustomFile): Seed {
  return {
    name: `${file.name} as ${file.kind} to ${'target' in file ? file.target : ''}`,
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      prompt: '/p please',
      calls: [read('src/main.ts'), read('skill:s'), read('.github/skills/s/SKILL.md')],
      arrange: (world) => placeCustomFiles([file], world),
      afterwards: ({ session, submit }) => submit(session, 'Please go on.'),
    }),
  };
}

/** The same as hard links. */
export const hardLinkedCustomFiles: readonly Seed[] = PLACES.map((name) =>
  placed({ name: `ws/${name}`, kind: 'hard link', target: 'ws/.ssh/skill.md' }),
);

/** Folders that a `.code-workspace` file opens, under names of its own. */
export const folderSeeds: readonly Seed[] = [
  {
    name: 'a folder of credentials that is opened beside the workspace',
    given: ({ top }) => ({
      way: 'window',
      mode: 'acceptEdits',
      folders: ['ws', 'home/.aws'],
      prompt: 'Explain @docs/credentials please',
      calls: [
        ...['docs/credentials', `${top}/home/.aws/credentials`].map((name) => read(name)),
        ...[search('TOKEN'), search('TOKEN', { path: 'docs' }), edit('docs/credentials', 'TOKEN=')],
        ...['cat', 'grep -r TOKEN', 'rg TOKEN'].map((program) => run(`${program} ${top}/home/.aws/credentials`)),
        ...['cat credentials', 'grep -r TOKEN .', 'grep TOKEN *'].map((command) => run(command, { cwd: 'docs' })),
      ],
    }),
  },
  {
    name: 'the folder of git that is opened beside the sources',
    given: ({ top }) => ({
      way: 'window',
      mode: 'acceptEdits',
      folders: ['ws/src', 'ws/.git'],
      calls: [
        ...[read('docs/config'), search('url', { path: 'docs' }), edit('docs/config', '[core]')],
        ...[write(`${top}/ws/.git/hooks/pre-push`, '#!/bin/sh'), edit('docs/hooks/pre-commit', '#!/bin/sh')],
        ...['cat config', 'grep -r url .'].map((command) => run(command, { cwd: 'docs' })),
      ],
    }),
  },
  {
    name: 'the folder of git that is opened in the workspace',
    given: ({ top }) => ({
      way: 'window',
      mode: 'acceptEdits',
      folders: ['ws', 'ws/.git', 'ws/.ssh'],
      calls: [
        ...[read('docs/config'), read('docs-2/skill.md'), write(`${top}/ws/.git/hooks/pre-push`, '#!/bin/sh')],
        ...[search('TOKEN'), search('description', { path: 'docs-2' }), list('docs-2')],
        ...['cat skill.md', 'grep -r description .'].map((command) => run(command, { cwd: 'docs-2' })),
      ],
    }),
  },
];

/** Settings of other programs that are another name of secrets, taken over by the person. */
export const importedFileSeeds: readonly Seed[] = [
  ...['.clinerules', '.roorules', '.roo/rules/a.md', '.mcp.json'].map((name): Seed => ({
    name: `${name} as a hard link, taken over`,
    given: () => ({
      way: 'window',
      mode: 'ask',
      folders: ['ws', 'second'],
      calls: [],
      arrange: (world) => placeCustomFiles([{ name: `second/${name}`, kind: 'hard link', target: 'ws/.env' }], world),
      afterwards: (window) => importAll(['ws', 'second'], window),
    }),
  })),
  {
    name: '.clinerules as a hard link in an opened folder of git, taken over',
    given: () => ({
      way: 'window',
      mode: 'ask',
      folders: ['ws/.git', 'ws/src'],
      calls: [],
      arrange: (world) =>
        placeCustomFiles([{ name: 'ws/.git/.clinerules', kind: 'hard link', target: 'ws/.git/config' }], world),
      afterwards: (window) => importAll(['ws/.git', 'ws/src'], window),
    }),
  },
];
