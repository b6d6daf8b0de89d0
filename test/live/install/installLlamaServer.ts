import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { messageOf } from '../../../src/util/errors';
import { installFolder, type Installed, type Say } from './installed';

/** How llama-server is started: by the C library that came along, without touching the system. */
export interface LlamaServerProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The folder to start in. Absent: any. */
  readonly cwd?: string | undefined;
}

/** Debian's release with a package of llama.cpp. */
const release = 'forky';
const folder = path.join(installFolder, 'llama-server');
const root = path.join(folder, 'root');

/** llama-server as installed before. */
export async function findLlamaServer(): Promise<Installed<LlamaServerProgram>> {
  const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu');
  const server = path.join(root, 'usr/bin/llama-server');
  if (!existsSync(server)) return { ok: false, reason: 'llama-server is not installed: add --install.' };
  const backend = (await hasAvx2()) ? 'haswell' : 'x64';
  return {
    ok: true,
    program: path.join(root, 'usr/lib64/ld-linux-x86-64.so.2'),
    args: ['--library-path', `${libraries}:${path.join(libraries, 'llama')}`, server],
    env: { GGML_BACKEND_PATH: path.join(libraries, `ggml/backends0/libggml-cpu-${backend}.so`) },
  };
}

/**
 * The same for a router, which starts its own file for each model. A copy in `folder` names its C library itself, by a path
 * relative to the folder it starts in.
 */
export async function routerProgram(installed: LlamaServerProgram, folder: string): Promise<LlamaServerProgram> {
  const [, libraries = '', server = ''] = installed.args;
  const file = await readFile(server);
  const usual = Buffer.from('/lib64/ld-linux-x86-64.so.2\0');
  const at = file.indexOf(usual);
  if (at < 0) throw new Error('llama-server does not name its C library as expected.');
  file.fill(0, at, at + usual.length);
  file.write('./ld.so', at);
  const program = path.join(folder, 'llama-server');
  await writeFile(program, file, { mode: 0o755 });
  await symlink(installed.program, path.join(folder, 'ld.so'));
  return { program, args: [], env: { ...installed.env, LD_LIBRARY_PATH: libraries }, cwd: folder };
}

/** Unpacks Debian's package of llama.cpp, with the libraries that it needs, into a folder of its own. */
export async function installLlamaServer(say: Say): Promise<Installed<LlamaServerProgram>> {
  if (existsSync(path.join(root, 'usr/bin/llama-server'))) return findLlamaServer();
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { ok: false, reason: 'llama-server is installed from Debian packages, which needs Linux on x64.' };
  }
  try {
    await unpackPackages(say);
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    return { ok: false, reason: `llama-server could not be installed: ${messageOf(error)}` };
  }
  return findLlamaServer();
}

async function unpackPackages(say: Say): Promise<void> {
  const [lists, archives] = [path.join(folder, 'lists'), path.join(folder, 'cache', 'archives')];
  await Promise.all([lists, archives].map((name) => mkdir(path.join(name, 'partial'), { recursive: true })));
  const [sources, status] = [path.join(folder, 'sources.list'), path.join(folder, 'status')];
  const configuration = path.join(folder, 'apt.conf');
  const keys = '/usr/share/keyrings/debian-archive-keyring.gpg';
  await writeFile(sources, `deb [signed-by=${keys}] ${await findMirror()} ${release} main\n`);
  await writeFile(status, '');
  // Images of containers delete the system's archives after an update, also while something else installs from them.
  await writeFile(configuration, '#clear APT::Update::Post-Invoke;\n');
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${path.join(folder, 'cache')}`,
    `Dir::State::status=${status}`,
  ].flatMap((option) => ['-o', option]);
  const own = ['-c', configuration, ...options];
  say('llama-server: reading the list of packages');
  await runCommand('apt-get', [...own, 'update']);
  say('llama-server: loading 20 MB of packages');
  const download = ['-y', '--no-install-recommends', '--download-only', 'install', 'llama.cpp-tools'];
  await runCommand('apt-get', [...own, ...download]);
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) await runCommand('dpkg-deb', ['-x', path.join(archives, name), root]);
  }
}

/** The address of Debian's packages, as this machine has it. */
async function findMirror(): Promise<string> {
  const folders = ['/etc/apt/sources.list.d'];
  const files = ['/etc/apt/sources.list', ...(await Promise.all(folders.map(filesIn))).flat()];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?) *(\S+\/debian)\/?(?:\s|$)/m.exec(text);
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error('apt has no source of Debian packages.');
}

async function filesIn(name: string): Promise<readonly string[]> {
  return (await readdir(name).catch(() => [])).map((file) => path.join(name, file));
}

async function hasAvx2(): Promise<boolean> {
  return (await readFile('/proc/cpuinfo', 'utf8').catch(() => '')).includes(' avx2');
}
