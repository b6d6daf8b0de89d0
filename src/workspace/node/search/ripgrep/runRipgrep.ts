import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Ends ripgrep after this time without output: it hangs at an ignore file that is a pipe. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

/** More files than any project has. */
const MAX_OUTPUT = 100_000_000;

/**
 * Runs ripgrep until it ends. Gives the files that it names, relative to `cwd`, with `/`. `undefined`: it did not search.
 * Rejects with the signal's reason when that aborts.
 */
export async function runRipgrep(
  ripgrepPath: string,
  { args, cwd, stallMs, signal }: RipgrepRun,
): Promise<readonly string[] | undefined> {
  const child = spawn(ripgrepPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
  const ended = new Promise<number | undefined>((resolve) => {
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code ?? undefined));
  });
  const kill = (): boolean => child.kill();
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  const stalled = setTimeout(kill, stallMs);
  const names: string[] = [];
  const decoder = new StringDecoder('utf8');
  let open = '';
  let size = 0;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      stalled.refresh();
      size += chunk.length;
      const parts = (open + decoder.write(chunk)).split('\0');
      open = parts.pop() ?? '';
      for (const name of parts) names.push(withSlashes(name).replace(/^\.\//, ''));
      if (size > MAX_OUTPUT) break;
    }
  } finally {
    clearTimeout(stalled);
    // Harmless after its own end.
    if (size > MAX_OUTPUT) kill();
    signal.removeEventListener('abort', kill);
  }
  const code = await ended;
  signal.throwIfAborted();
  // 1: no match. 2: an error, which can be an invalid pattern or one unreadable file.
  if (code === undefined || size > MAX_OUTPUT || (code === 2 && size === 0) || code > 2) return undefined;
  return names;
}

/** Windows paths have backslashes; elsewhere a backslash is part of a name. */
function withSlashes(name: string): string {
  return process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
}
