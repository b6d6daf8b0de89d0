import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { CommandWorld } from '../../shell/commandAssessment';
import type { GitAnswer, RunGit } from '../../shell/gitSafety';
import type { ReadOutput } from '../../shell/readOutput';
import { endTree } from '../processes/endTree';
import { commandEnvironment } from './commandEnvironment';
import { findShell } from './shell';

/** With a longer list of files, a repository is not checked, and git asks. */
const MAX_OUTPUT = 64 * 1024 * 1024;
const GIT_TIMEOUT_MS = 10_000;

/** The parts of `CommandWorld` that depend on this machine. `environment` is what commands inherit. */
export function createNodeCommandWorld(
  environment: NodeJS.ProcessEnv = process.env,
): Pick<CommandWorld, 'runGit' | 'readOutput' | 'searchPath' | 'extensions' | 'findExecutable'> {
  const base = commandEnvironment(environment);
  // On Windows the variable is called Path.
  const variable = (name: string): string | undefined =>
    Object.entries(base).find(
      ([key]) => key === name || (process.platform === 'win32' && key.toUpperCase() === name),
    )?.[1];
  return {
    runGit: createRunGit(base),
    readOutput: createReadOutput(base),
    searchPath: variable('PATH') ?? '',
    extensions: variable('PATHEXT'),
    findExecutable,
  };
}

async function findExecutable(absolute: string): Promise<string | undefined> {
  try {
    await fs.access(absolute, constants.X_OK);
    const real = await fs.realpath(absolute);
    return (await fs.stat(real)).isFile() ? real : undefined;
  } catch {
    // Missing or not executable: the shell would also look in the next folder.
    return undefined;
  }
}

function createRunGit(base: NodeJS.ProcessEnv): RunGit {
  return (args, { program, cwd, environment }) =>
    new Promise<GitAnswer>((resolve) => {
      const child = spawn(program, args, {
        cwd,
        env: { ...base, ...environment },
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: GIT_TIMEOUT_MS,
        killSignal: 'SIGKILL',
        windowsHide: true,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_OUTPUT) child.kill('SIGKILL');
        else chunks.push(chunk);
      });
      child.on('error', () => resolve({ exitCode: null, stdout: '' }));
      child.on('close', (exitCode) => resolve({ exitCode, stdout: Buffer.concat(chunks).toString('utf8') }));
    });
}

/** With more, or after a longer time, the command that needs it asks. */
const MAX_READ_OUTPUT = 200_000;
const READ_TIMEOUT_MS = 5000;
const MAX_READ_ERRORS = 1000;

function createReadOutput(base: NodeJS.ProcessEnv): ReadOutput {
  return ({ command, cwd, environment }) =>
    new Promise((resolve) => {
      const shell = findShell();
      // The shell puts both outputs together, so errors go elsewhere before that. Windows has no further output.
      const errorsTo = process.platform === 'win32' ? '/dev/null' : '&3';
      const child = spawn(shell.file, shell.args(`{ ${command}\n} 2>${errorsTo}`), {
        cwd,
        env: { ...base, ...environment },
        stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      const chunks: Buffer[] = [];
      const [, stdout, , ofErrors] = child.stdio as readonly [null, Readable, null, Readable, undefined];
      let errors = '';
      let size = 0;
      let isWhole = true;
      const end = (): void => {
        isWhole = false;
        // A program can leave the group, as `timeout` does, and keep the output open.
        stdout.destroy();
        ofErrors.destroy();
        void endTree(child).catch(() => child.kill('SIGKILL'));
        resolve(undefined);
      };
      const timer = setTimeout(end, READ_TIMEOUT_MS);
      stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_READ_OUTPUT) end();
        else chunks.push(chunk);
      });
      ofErrors.on('data', (chunk: Buffer) => {
        if (errors.length < MAX_READ_ERRORS) errors += chunk.toString('utf8');
      });
      child.on('error', () => {
        isWhole = false;
      });
      child.on('close', () => {
        clearTimeout(timer);
        const output = isWhole ? readText(Buffer.concat(chunks)) : undefined;
        resolve(output === undefined ? undefined : { output, errors });
      });
    });
}

function readText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not text: the caller asks.
    return undefined;
  }
}
