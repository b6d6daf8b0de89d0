import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buildSync } from 'esbuild';
import { copyGrammars } from '../../../scripts/bundle/copyGrammars.cjs';
import { projectRoot } from '../../../scripts/projectRoot';

const bundle = path.join(projectRoot, '.vscode-test/cli-bundle', String(process.pid), 'cli.js');

let hasBundle = false;

/** The program and its first argument. Bundles the sources once, because compiling at each start is slow. */
function cliCommand(): readonly [string, string] {
  if (!hasBundle) makeBundle();
  hasBundle = true;
  return [process.execPath, bundle];
}

function makeBundle(): void {
  buildSync({
    entryPoints: {
      cli: path.join(projectRoot, 'src/cli/program.ts'),
      keeperProcess: path.join(projectRoot, 'src/localModel/run/keeperProcess.ts'),
    },
    outdir: path.dirname(bundle),
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  copyGrammars(path.dirname(bundle), { isSmall: false });
  process.once('exit', () => rmSync(path.dirname(bundle), { recursive: true, force: true }));
}

const runInTerminal = path.join(projectRoot, 'test/support/commandLine/runInTerminal.py');

export interface CliStart {
  readonly folder: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface CliEnded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function environmentOf({ home, env }: CliStart): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, USERPROFILE: home, ...env };
}

export interface StartedCli {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CliEnded>;
}

/** Starts the command line without a terminal. */
export function startCli(args: readonly string[], start: CliStart): StartedCli {
  const [command, ...rest] = [...cliCommand(), ...args] as const;
  const child = spawn(command, rest, { cwd: start.folder, env: environmentOf(start) });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const ended = new Promise<CliEnded>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs the command line without a terminal until it ends. */
export function runCli(args: readonly string[], start: CliStart, stdin = ''): Promise<CliEnded> {
  const { child, ended } = startCli(args, start);
  child.stdin.end(stdin);
  return ended;
}

export interface CliInTerminal extends AsyncDisposable {
  /** All output of the terminal, with LF line ends. */
  readonly text: string;
  /** Waits for words after the match of the last call. Rejects if the process ends first. */
  readonly shows: (words: string) => Promise<void>;
  readonly type: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly exitCode: Promise<number | null>;
}

/** Runs the command line in a pseudo-terminal of 100 columns and 30 rows. */
export function startCliInTerminal(args: readonly string[], start: CliStart): CliInTerminal {
  return startInTerminal([...cliCommand(), ...args], start);
}

/** The same with standard output in a file of the folder, like `open-agent … > file` in a shell. */
export function startCliWithAnswerIn(file: string, args: readonly string[], start: CliStart): CliInTerminal {
  return startInTerminal(
    ['sh', '-c', 'out=$1; shift; exec "$@" > "$out"', 'sh', file, ...cliCommand(), ...args],
    start,
  );
}

function startInTerminal(command: readonly string[], start: CliStart): CliInTerminal {
  const child = spawn('python3', [runInTerminal, '100', '30', ...command], {
    cwd: start.folder,
    env: { TERM: 'xterm-256color', ...environmentOf(start) },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
  });
  const [stdin, stdout, , sizes] = child.stdio as unknown as [Writable, Readable, null, Writable];
  let text = '';
  let seen = 0;
  let hasEnded = false;
  let wake = (): void => {};
  stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part.replaceAll('\r\n', '\n');
    wake();
  });
  const exitCode = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      hasEnded = true;
      wake();
      resolve(code);
    });
  });
  // The process may have ended just before the test types.
  stdin.on('error', () => undefined);
  sizes.on('error', () => undefined);
  return {
    get text() {
      return text;
    },
    async shows(words) {
      for (;;) {
        const at = text.indexOf(words, seen);
        if (at >= 0) {
          seen = at + words.length;
          return;
        }
        if (hasEnded) throw new Error(`The process ended without showing ${JSON.stringify(words)}:\n${text}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    type: (typed) => void stdin.write(typed),
    resize: (columns, rows) => void sizes.write(`${columns} ${rows}\n`),
    exitCode,
    async [Symbol.asyncDispose]() {
      // This closes the terminal, so the command line gets SIGHUP.
      if (!hasEnded) child.kill('SIGKILL');
      await exitCode;
    },
  };
}
