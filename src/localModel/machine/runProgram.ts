import { execFile } from 'node:child_process';

/** Runs a program of this machine without a shell. Resolves with its output, or with `undefined` when it failed. */
export type RunProgram = (
  program: string,
  args: readonly string[],
  options?: { readonly env?: NodeJS.ProcessEnv | undefined },
) => Promise<string | undefined>;

/** A driver that hangs must not hold up the set-up. */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 1_000_000;

export const runProgram: RunProgram = (program, args, { env } = {}) =>
  new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, windowsHide: true, ...(env && { env }) };
    execFile(program, [...args], options, (error, stdout, stderr) =>
      resolve(error ? undefined : `${stdout}\n${stderr}`),
    );
  });
