import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { messageOf } from '../../../src/util/errors';
import { findLlamaServer, type LlamaServerProgram } from './installLlamaServer';
import { installFolder, type Installed, type Say } from './installed';

/** The version that was tried. Its calls fit the library of Debian's llama.cpp 0.7.0. */
const version = '0.3.36';
const folder = path.join(installFolder, `llama-cpp-python-${version}`);
const libraries = path.join(folder, 'libraries');

const packages = path.join(folder, 'packages');
const python = 'python3';

/** llama-cpp-python's server as installed before. */
export async function findLlamaCppPython(): Promise<Installed<LlamaServerProgram>> {
  if (!existsSync(libraries)) return { ok: false, reason: 'llama-cpp-python is not installed: add --install.' };
  const llama = await findLlamaServer();
  if (!llama.ok) return llama;
  const [, ownLibraries = ''] = llama.args;
  const code =
    'import os, sys, sysconfig; print(os.path.realpath(sys.executable)); print(sysconfig.get_config_var("LIBDIR"))';
  const [file = '', pythonLibraries = ''] = (await runCommand(python, ['-c', code])).split('\n');
  // The library needs a newer C library than the system may have, so Python is started with that, too.
  const searched = [ownLibraries, pythonLibraries, '/usr/lib/x86_64-linux-gnu'].join(':');
  return {
    ok: true,
    program: llama.program,
    args: ['--library-path', searched, file, '-m', 'llama_cpp.server'],
    env: { ...llama.env, LLAMA_CPP_LIB_PATH: libraries, PYTHONPATH: packages, PYTHONUNBUFFERED: '1' },
  };
}

/** Installs llama-cpp-python's server beside llama-server, whose library it uses: nothing is compiled, and it takes half a minute. */
export async function installLlamaCppPython(say: Say): Promise<Installed<LlamaServerProgram>> {
  if (existsSync(libraries)) return findLlamaCppPython();
  const llama = await findLlamaServer();
  if (!llama.ok) return llama;
  try {
    say('llama-cpp-python: loading 50 MB of Python packages');
    const install = ['-m', 'pip', 'install', '--quiet', '--target', packages, `llama-cpp-python[server]==${version}`];
    await runCommand(python, install, { env: { ...process.env, CMAKE_ARGS: '-DLLAMA_BUILD=OFF' } });
    await linkLibraries(llama.args[1]?.split(':')[0] ?? '');
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    return { ok: false, reason: `llama-cpp-python could not be installed: ${messageOf(error)}` };
  }
  return findLlamaCppPython();
}

/** It looks for libraries without a version in their names. */
async function linkLibraries(from: string): Promise<void> {
  const made = `${libraries}.new`;
  await mkdir(made, { recursive: true });
  for (const name of ['llama', 'ggml', 'ggml-base', 'mtmd']) {
    await symlink(path.join(from, `lib${name}.so.0`), path.join(made, `lib${name}.so`));
  }
  await rename(made, libraries);
}
