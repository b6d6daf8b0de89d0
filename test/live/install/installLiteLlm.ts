import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { messageOf } from '../../../src/util/errors';
import { installFolder, type Installed, type Say } from './installed';

export interface LiteLlmProgram {
  readonly program: string;
}

/** The version that was tried. */
const version = '1.106.2';
const folder = path.join(installFolder, `litellm-${version}`);
const python = path.join(folder, 'bin', 'python3');
const program = path.join(folder, 'bin', 'litellm');

/** LiteLLM as installed before. */
export function findLiteLlm(): Installed<LiteLlmProgram> {
  if (existsSync(program)) return { ok: true, program };
  return { ok: false, reason: 'LiteLLM is not installed: add --install.' };
}

/** Installs LiteLLM's proxy into a Python environment of its own, 600 MB on the disk. */
export async function installLiteLlm(say: Say): Promise<Installed<LiteLlmProgram>> {
  if (existsSync(program)) return findLiteLlm();
  try {
    say('LiteLLM: making a Python environment');
    await runCommand('python3', ['-m', 'venv', folder]);
    // pip needs many minutes to choose the versions of its 90 packages, uv needs seconds.
    await runCommand(python, ['-m', 'pip', 'install', '--quiet', 'uv']);
    say('LiteLLM: loading 150 MB of Python packages');
    const install = ['pip', 'install', '--quiet', '--python', python, `litellm[proxy]==${version}`];
    await runCommand(path.join(folder, 'bin', 'uv'), install);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    return { ok: false, reason: `LiteLLM could not be installed: ${messageOf(error)}` };
  }
  return findLiteLlm();
}
