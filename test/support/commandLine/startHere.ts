import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../../src/cli/main';
import { Screen } from './screen';

/** The prompt as the terminal gets it. Other lines may contain `> ` too. */
export const PROMPT = '\u001b[0J> ';

export interface HereOptions {
  readonly folder: string;
  readonly home: string;
  /** False: standard input is not a terminal, so nobody can be asked. Default: true. */
  readonly isTerminal?: boolean | undefined;
  /** Default: Linux, on every machine. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** The command line, running in the process of the test. */
export interface CliHere {
  readonly exitCode: Promise<number>;
  readonly stdout: Screen;
  readonly stderr: Screen;
  type(text: string): void;
  /** Types a line and waits for the given words. Resolves to the output since then, without control characters. */
  say(line: string, then?: string): Promise<string>;
  endInput(): void;
  /** Asks the program to end, like SIGTERM. */
  stop(): void;
}

/** Starts the command line in this process, which is faster than a separate process. */
export function startHere(argv: readonly string[], options: HereOptions): CliHere {
  const stdin = Object.assign(new PassThrough(), { isTTY: options.isTerminal ?? true });
  const [stdout, stderr] = [new Screen(), new Screen()];
  const stopping = new AbortController();
  const exitCode = main({
    argv: [...argv],
    env: { NO_COLOR: '1' },
    cwd: options.folder,
    homeDirectory: options.home,
    platform: options.platform ?? 'linux',
    stdin,
    stdout,
    stderr,
    signal: stopping.signal,
    exit: () => assert.fail('Nothing ends the process.'),
  }).finally(() => {
    stdout.markEnded();
    stderr.markEnded();
  });
  return {
    exitCode,
    stdout,
    stderr,
    type: (text) => void stdin.write(text),
    async say(line, then = PROMPT) {
      stdin.write(`${line}\n`);
      const shown = stripVTControlCharacters(await stderr.shows(then)).replaceAll('\r', '');
      // The terminal echoes the typed text.
      return shown.startsWith(`${line}\n`) ? shown.slice(line.length + 1) : shown;
    },
    endInput: () => void stdin.end(),
    stop: () => stopping.abort(),
  };
}
