import { execFile } from 'node:child_process';
import path from 'node:path';
import { findInPath } from '../installed/programs';
import { foreignEnvironment } from '../run/launch';

/**
 * Runs a program of this machine without a shell. A name is looked up in the absolute folders of `PATH`. Resolves with its output, or
 * with `undefined` when it is missing or failed.
 */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

/** A driver that hangs must not hold up the set-up. */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 1_000_000;

export const runProgram: RunProgram = async (program, args) => {
  const { platform, env } = process;
  const file = path.isAbsolute(program) ? program : await findInPath(program, { platform, env });
  if (file === undefined) return undefined;
  const options = {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT,
    windowsHide: true,
    env: foreignEnvironment(env),
    cwd: folderToRunIn(file),
  };
  return new Promise((resolve) => {
    execFile(file, [...args], options, (error, stdout, stderr) => resolve(error ? undefined : `${stdout}\n${stderr}`));
  });
};

/**
 * Never the current folder, which may be a workspace: llama.cpp loads libraries from there. Source: its `ggml-backend-reg.cpp`, which
 * searches the program's folder and the current one.
 */
export function folderToRunIn(program: string): string {
  return path.dirname(program);
}
