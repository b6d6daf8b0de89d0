import { placeCustomFiles, type CustomFile } from '../arbitraries/customFiles';
import { edit, read, search, write, type Seed } from './seed';

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
