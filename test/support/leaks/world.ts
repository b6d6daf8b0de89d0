import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hardLinks, links, LISTED, markedFiles, MAYBE_FILE, MAYBE_FOLDER, plainFiles } from './files';
import { markOf, MarkSearch, type Variant } from './marks';
import { differences, takeSnapshot, type Snapshot } from './snapshot';

/** All files get this time, so that a listing does not differ between worlds. */
const FILE_TIME = new Date('2024-01-02T03:04:05Z');

/** Programs that nothing may start. Each writes its name, arguments and folder to the canary's file. */
const CANARIES =
  'npm npx yarn pnpm curl wget make docker code vim nano less more man xdg-open gpg ssh sshpass perl ruby go cargo mvn gradle ' +
  'textconv difftool evil';

const HOOKS =
  'post-checkout pre-commit post-commit post-index-change pre-auto-gc reference-transaction fsmonitor-watchman post-rewrite post-merge';

export interface LeakWorld extends AsyncDisposable {
  /** Absolute path of the folder with everything. */
  readonly top: string;
  readonly workspace: string;
  readonly home: string;
  readonly seed: number;
  /** Every marked text of a variant. */
  readonly search: (variant: Variant) => MarkSearch;
  /** Makes everything as it is in this variant, and removes what is new. */
  reset(variant: Variant): Promise<void>;
  /** Takes everything as it is now as unchanged, until the next reset. */
  accept(): Promise<void>;
  /** What was written, changed or removed since the last reset, outside the agent's own folder. */
  changes(): Promise<readonly string[]>;
  /** The files that the agent keeps for itself, by path, without the earlier contents of files. */
  ownFiles(): Promise<ReadonlyMap<string, string>>;
  /** What the canaries wrote since the last reset. */
  canary(): Promise<string>;
  /** The environment in which commands run. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface WorldOptions {
  readonly seed: number;
  /** The folder to build it in. Default: the folder for temporary files, which a confined command does not see. */
  readonly folder?: string | undefined;
  /** Hard links in the workspace to protected files. Default: none. */
  readonly hasHardLinks?: boolean | undefined;
  /** Programs to add to PATH, by name. */
  readonly programs?: Readonly<Record<string, string>> | undefined;
}

/** Builds a workspace full of files that must not be known, beside a home and other folders. */
export async function buildWorld({
  seed,
  folder = os.tmpdir(),
  hasHardLinks = false,
  programs = {},
}: WorldOptions): Promise<LeakWorld> {
  await mkdir(folder, { recursive: true });
  const top = await realpath(await mkdtemp(path.join(folder, 'open-agent-leaks-')));
  const at = (name: string): string => path.join(top, name);
  const canaryFile = at('canary/ran');
  await writeCanaries();
  await makeRepository();
  for (const [name, target] of Object.entries(programs)) await symlink(target, at(`bin/${name}`));

  /** As it was after the last reset. */
  let base: Snapshot = new Map();
  let current: Snapshot = new Map();
  let variant: Variant | undefined;

  async function writeCanaries(): Promise<void> {
    await mkdir(at('canary'));
    await mkdir(at('bin'));
    for (const name of CANARIES.split(' ')) await writeCanary(`bin/${name}`);
  }

  async function writeCanary(name: string): Promise<void> {
    await mkdir(path.dirname(at(name)), { recursive: true });
    const script = `#!/bin/sh\nprintf '%s %s in %s\\n' "\${0##*/}" "$*" "$PWD" >> '${canaryFile}'\n`;
    await writeFile(at(name), script);
    await chmod(at(name), 0o755);
  }

  async function makeRepository(): Promise<void> {
    for (const folder of ['ws', 'home', 'outside']) await mkdir(at(folder), { recursive: true });
    for (const [name, text] of Object.entries(plainFiles)) await writeAt(name, text);
    const env = { PATH: '/usr/bin:/bin', HOME: at('home'), GIT_CONFIG_NOSYSTEM: '1' };
    const git = (...args: readonly string[]): void => {
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      execFileSync('git', [...identity, ...args], { cwd: at('ws'), env, stdio: 'ignore' });
    };
    git('init', '-q', '--template=', '-b', 'main');
    git('add', 'a.txt', 'README.md', 'src', 'data.json', 'table.csv', 'package.json', '.gitignore');
    git('commit', '-q', '-m', 'Begin');
    await writeAt('ws/a.txt', `${plainFiles['ws/a.txt']}four\n`);
    git('add', 'a.txt');
    git('commit', '-q', '-m', 'Go on');
    await writeAt('ws/a.txt', plainFiles['ws/a.txt']!);
    for (const hook of HOOKS.split(' ')) await writeCanary(`ws/.git/hooks/${hook}`);
    // A repository that makes git run a program.
    await mkdir(at('ws/vendor/.git/objects'), { recursive: true });
    await mkdir(at('ws/vendor/.git/refs'), { recursive: true });
    await writeAt('ws/vendor/.git/HEAD', 'ref: refs/heads/main\n');
    await writeAt(
      'ws/vendor/.git/config',
      `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${at('bin/evil')}\n\tpager = ${at('bin/evil')}\n`,
    );
    for (const [name, target] of Object.entries(links)) await symlink(target, at(name));
    for (const file of markedFiles) await writeAt(file.path, file.text('one', seed));
    if (hasHardLinks) {
      for (const [name, file] of Object.entries(hardLinks)) await link(at(file), at(name));
    }
  }

  async function writeAt(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(at(name)), { recursive: true });
    // Not replaced, so that hard links stay.
    await writeFile(at(name), text, 'latin1');
    await utimes(at(name), FILE_TIME, FILE_TIME);
  }

  async function writeMaybes(wanted: Variant): Promise<void> {
    for (const name of [MAYBE_FILE, MAYBE_FOLDER]) await rm(at(name), { recursive: true, force: true });
    if (wanted === 'one') {
      await writeAt(MAYBE_FILE, 'there\n');
      await writeAt(`${MAYBE_FOLDER}/file`, 'there\n');
    } else {
      await writeAt(MAYBE_FOLDER, 'a file\n');
    }
    for (const folder of ['outside', 'home', 'ws-other']) await utimes(at(folder), FILE_TIME, FILE_TIME);
  }

  async function repair(): Promise<void> {
    const found = await takeSnapshot(top, isOwn);
    for (const name of found.keys()) {
      if (!base.has(name)) await rm(at(name), { recursive: true, force: true });
    }
    for (const [name, entry] of base) {
      const now = found.get(name);
      if (now && now.stamp === entry.stamp) continue;
      await rm(at(name), { recursive: true, force: true });
      if (entry.kind === 'folder') await mkdir(at(name), { recursive: true });
      else if (entry.kind === 'link') await symlink(entry.content, at(name));
      else {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), entry.content, 'latin1');
        await chmod(at(name), entry.mode);
        await utimes(at(name), FILE_TIME, FILE_TIME);
      }
    }
    // A repaired file may have lost its other names.
    for (const [name, file] of hasHardLinks ? Object.entries(hardLinks) : []) {
      await rm(at(name), { force: true });
      await link(at(file), at(name));
    }
  }

  return {
    top,
    workspace: at('ws'),
    home: at('home'),
    seed,
    environment: environmentOf(top, seed),
    search: (wanted) => new MarkSearch(marksOf(wanted, seed)),
    async reset(wanted) {
      if (base.size > 0 && differences(base, await takeSnapshot(top, isOwn)).length > 0) await repair();
      await rm(at('home/.open-agent'), { recursive: true, force: true });
      await rm(at('storage'), { recursive: true, force: true });
      await rm(canaryFile, { force: true });
      if (variant !== wanted) {
        for (const file of markedFiles) await writeAt(file.path, file.text(wanted, seed));
        await writeMaybes(wanted);
      }
      variant = wanted;
      base = await takeSnapshot(top, isOwn);
      current = base;
    },
    async accept() {
      current = await takeSnapshot(top, isOwn);
    },
    changes: async () => differences(current, await takeSnapshot(top, isOwn)),
    async ownFiles() {
      const found = await takeSnapshot(top, (name) => !isOwn(name) && !isAbove(name));
      return new Map(
        [...found]
          .filter(([name, { kind }]) => kind === 'file' && !name.includes('/checkpoints/') && isOwn(name))
          .map(([name, { content }]) => [name, content]),
      );
    },
    async canary() {
      const found = await takeSnapshot(at('canary'), () => false);
      return found.get('ran')?.content ?? '';
    },
    async [Symbol.asyncDispose]() {
      await rm(top, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The agent's own folders: of the command line and of the window. */
function isOwn(name: string): boolean {
  return /^(home\/\.open-agent|storage|canary)(\/|$)/.test(name);
}

function isAbove(name: string): boolean {
  return name === 'home';
}

/** Variables with secrets, as a person has them. */
const SECRET_VARIABLES = [
  'OPENAI_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'MY_PASSWORD',
  'OPEN_AGENT_API_KEY',
];

function environmentOf(top: string, seed: number): Readonly<Record<string, string>> {
  return {
    PATH: `${path.join(top, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: path.join(top, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    PAGER: path.join(top, 'bin/evil'),
    GIT_PAGER: path.join(top, 'bin/evil'),
    GIT_EXTERNAL_DIFF: path.join(top, 'bin/evil'),
    EDITOR: path.join(top, 'bin/evil'),
    ...secretVariables(seed),
  };
}

/** The marked variables of a world, to add to a program's environment. */
export function secretVariables(seed: number): Readonly<Record<string, string>> {
  return Object.fromEntries(SECRET_VARIABLES.map((name) => [name, markOf(`$${name}`, 'one', seed)]));
}

function marksOf(variant: Variant, seed: number) {
  return [
    ...markedFiles
      .filter((file) => file.kind !== 'ignored')
      .map((file) => ({ name: file.path, text: markOf(file.path, variant, seed) })),
    { name: 'a name outside', text: LISTED },
    ...SECRET_VARIABLES.map((name) => ({ name: `$${name}`, text: markOf(`$${name}`, 'one', seed) })),
  ];
}
