import { spawn } from 'node:child_process';
import * as z from 'zod';

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Whether matches in this file count. Its path is relative to `cwd`, with `/`. */
  readonly isWanted: (file: string) => boolean;
  readonly maxMatches: number;
  /** Ends ripgrep after this time without output: it hangs at an ignore file that is a pipe. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

export interface RipgrepMatch {
  /** Relative to `cwd`, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface RipgrepFindings {
  readonly matches: readonly RipgrepMatch[];
  readonly isCut: boolean;
}

/**
 * Runs ripgrep with `--json` until it ends or finds more than `maxMatches`, and waits for its end. `undefined`: it did
 * not search. Rejects with the signal's reason when that aborts.
 */
export async function runRipgrep(ripgrepPath: string, run: RipgrepRun): Promise<RipgrepFindings | undefined> {
  const { args, cwd, stallMs, signal } = run;
  const child = spawn(ripgrepPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const kill = (): boolean => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const findings = new Findings(run);
  const stalled = setTimeout(kill, stallMs);
  try {
    let rest = '';
    for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      stalled.refresh();
      // `readline` would also split at U+2028, which JSON leaves as it is.
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) findings.add(line);
      if (findings.isCut) break;
    }
  } finally {
    clearTimeout(stalled);
    // Harmless after its own end.
    kill();
    await ended;
    signal.removeEventListener('abort', kill);
  }
  signal.throwIfAborted();
  return findings.isComplete || findings.isCut ? { matches: findings.matches, isCut: findings.isCut } : undefined;
}

// Ripgrep sends paths and lines that are not UTF-8 as `bytes`.
const Text = z.object({ text: z.string().optional() });
const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin') }),
  z.object({
    type: z.literal('match'),
    data: z.object({ path: Text, lines: Text, line_number: z.int().positive() }),
  }),
  z.object({ type: z.literal('end'), data: z.object({ binary_offset: z.number().nullable() }) }),
  z.object({ type: z.literal('summary') }),
]);
type Message = z.infer<typeof Message>;
type MatchData = Extract<Message, { type: 'match' }>['data'];

/** Collects the matches file by file: ripgrep tells only at a file's end whether it is binary. */
class Findings {
  readonly #isWanted: (file: string) => boolean;
  readonly #maxMatches: number;
  readonly matches: RipgrepMatch[] = [];
  #ofFile: RipgrepMatch[] = [];
  isCut = false;
  isComplete = false;

  constructor({ isWanted, maxMatches }: Pick<RipgrepRun, 'isWanted' | 'maxMatches'>) {
    this.#isWanted = isWanted;
    this.#maxMatches = maxMatches;
  }

  add(line: string): void {
    if (this.isCut) return;
    const message = Message.parse(JSON.parse(line));
    switch (message.type) {
      case 'begin':
        this.#ofFile = [];
        break;
      case 'match':
        this.#addMatch(message.data);
        break;
      case 'end':
        if (message.data.binary_offset === null) this.#keep();
        break;
      case 'summary':
        this.isComplete = true;
        break;
    }
  }

  #addMatch({ path, lines, line_number: line }: MatchData): void {
    // No tool can name such a file or edit such a line.
    if (path.text === undefined || lines.text === undefined) return;
    const file = path.text.replaceAll('\\', SEPARATOR).replace(/^\.\//, '');
    if (this.#isWanted(file)) this.#ofFile.push({ file, line, text: lines.text.replace(/\r?\n$/, '') });
  }

  #keep(): void {
    const room = this.#maxMatches - this.matches.length;
    this.matches.push(...this.#ofFile.slice(0, room));
    this.isCut = this.#ofFile.length > room;
    this.#ofFile = [];
  }
}

/** Windows paths have backslashes; elsewhere a backslash is part of a name. */
const SEPARATOR = process.platform === 'win32' ? '/' : '\\';
