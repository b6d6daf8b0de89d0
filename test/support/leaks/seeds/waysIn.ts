import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LISTED } from '../files';
import type { LeakCase, WayIn } from '../leakCase';
import type { LeakWorld } from '../world';
import { edit, read, run, search, write, type Seed } from './seed';

const WAYS: readonly WayIn[] = ['headless', 'window'];

/** What reaches the agent beside the model's calls: project rules, prompts, servers, files that name programs. */
export const wayInSeeds: readonly Seed[] = [
  ...WAYS.flatMap((way) => [
    rules(`AGENTS.md that leads to .env, ${way}`, way, '.env'),
    rules(`AGENTS.md that leads outside, ${way}`, way, '../outside/notes.txt'),
    rules(`AGENTS.md that leads to a key of the home, ${way}`, way, '../home/.ssh/id_ed25519'),
  ]),
  ...(['headless', 'terminal', 'window'] as const).map((way): Seed => ({
    name: `a prompt that names secrets with @, ${way}`,
    given: () => ({
      way,
      mode: 'ask',
      calls: [],
      prompt: 'Read @.env and @link-key.txt and @../outside/notes.txt please',
    }),
  })),
  {
    name: 'files of the workspace that name servers and programs',
    given: () => ({
      way: 'headless',
      mode: 'acceptEdits',
      calls: [read('a.txt'), run('git status')],
      arrange: async ({ workspace, top }) => {
        const evil = path.join(top, 'bin/evil');
        const servers = JSON.stringify({
          mcpServers: { evil: { command: evil } },
          servers: { evil: { command: evil } },
        });
        await mkdir(path.join(workspace, '.open-agent'));
        for (const name of ['.mcp.json', 'mcp.json', '.open-agent/settings.json']) {
          await writeFile(path.join(workspace, name), servers);
        }
        await writeFile(path.join(workspace, '.envrc'), evil);
      },
    }),
  },
  {
    name: 'an MCP server that nobody has allowed',
    given: () => ({
      way: 'headless',
      mode: 'acceptEdits',
      calls: [{ name: 'evil__run', arguments: {} }],
      arrange: async (world) => {
        await mkdir(path.join(world.home, '.open-agent'), { recursive: true });
        const mcp = { evil: { command: path.join(world.top, 'bin/evil') } };
        await writeFile(path.join(world.home, '.open-agent/settings.json'), JSON.stringify({ mcp }));
      },
    }),
  },
  {
    name: 'a program of the workspace with the name of a harmless one',
    given: () => ({
      way: 'headless',
      mode: 'acceptEdits',
      calls: [run('./ls'), run('bin/cat a.txt'), run('link-home/../bin/evil'), run('PATH=. ls')],
      arrange: async ({ workspace, top }) => {
        await symlink(path.join(top, 'bin/evil'), path.join(workspace, 'ls'));
      },
    }),
  },
  {
    name: 'a folder that is replaced by a link',
    given: () => ({
      way: 'window',
      mode: 'acceptEdits',
      calls: [read('src/notes.txt'), run('cat src/notes.txt'), run('ls src'), run('grep TOKEN src/notes.txt')],
      arrange: async ({ workspace }) => {
        await rm(path.join(workspace, 'src'), { recursive: true });
        await symlink('../outside', path.join(workspace, 'src'));
      },
    }),
  },
  {
    name: 'a git folder that leads elsewhere',
    given: () => ({
      way: 'headless',
      mode: 'ask',
      calls: [run('git status'), run('git log -p'), run('git diff'), run('git show HEAD:a.txt')],
      arrange: async ({ workspace }) => {
        await rename(path.join(workspace, '.git'), path.join(workspace, 'old-git'));
        await writeFile(path.join(workspace, '.git'), 'gitdir: vendor/.git\n');
      },
    }),
  },
];

function rules(name: string, way: WayIn, target: string): Seed {
  const arrange = (world: LeakWorld): Promise<void> => symlink(target, path.join(world.workspace, 'AGENTS.md'));
  return { name, given: (): LeakCase => ({ way, mode: 'ask', calls: [read('a.txt')], arrange }) };
}

/** AGENTS.md is a hard link to a file with secrets. */
export const hardLinkedRules: Seed = {
  name: 'AGENTS.md that is a hard link to .env',
  given: () => ({
    way: 'window',
    mode: 'ask',
    calls: [read('a.txt')],
    arrange: ({ workspace }) => link(path.join(workspace, '.env'), path.join(workspace, 'AGENTS.md')),
  }),
};

/**
 * A mount in the workspace counts as part of it, since only an administrator can make one. Its files are protected by
 * name.
 */
export const mountSeeds: readonly Seed[] = [
  {
    name: 'a folder outside that is mounted in the workspace',
    given: (): LeakCase => ({
      way: 'mounted',
      mode: 'acceptEdits',
      mounts: { 'ws/sub/inner': 'outside', 'ws/keys': 'home' },
      calls: [
        ...[read('sub/inner/.env'), read('keys/.ssh/id_ed25519'), read('keys/.aws/credentials'), search('TOKEN=')],
        ...[
          run('cat sub/inner/.env'),
          run('cat keys/.ssh/*'),
          run('grep -r TOKEN sub keys'),
          run('rg -uuu TOKEN keys'),
        ],
        ...[edit('sub/inner/.env', 'MODE=alpha'), write('keys/.ssh/id_ed25519', 'x'), read('../outside/notes.txt')],
      ],
    }),
    allowed: {
      files: ['notes.txt', 'deep/er/data.csv', `${LISTED}.txt`]
        .map((name) => `outside/${name}`)
        .concat('home/notes.txt', 'a name outside'),
    },
  },
];
