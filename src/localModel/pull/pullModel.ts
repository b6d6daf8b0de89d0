import * as l10n from '../../util/l10n';
import { spawn } from 'node:child_process';
import { SetUpError } from '../download/setUpError';
import type { FoundModelFile } from '../installed/foundModelFile';
import type { InstalledProgram } from '../installed/programs';
import { folderToRunIn } from '../machine/runProgram';
import { foreignEnvironment } from '../run/launch';
import { PullOutput, type PullProgress } from './pullOutput';

/** A model that Ollama or LM Studio fetches into its own folder. */
export interface Pull {
  readonly kind: 'ollama' | 'lms';
  /** The program, absolute. */
  readonly file: string;
  /** As the program names models. */
  readonly name: string;
}

const ASK_MS = 1_000;
const END_MS = 5_000;

/** Whether a text can be a model's name as both programs write it. */
export function isPullName(name: string): boolean {
  return /^[A-Za-z0-9][\w./:@+-]{0,199}$/.test(name);
}

/**
 * Parses `ollama:NAME` or `lms:NAME`. `undefined`: it is neither. Throws with a text for people when the program is missing, or the name
 * cannot be one: it becomes an argument of the program.
 */
export function readPull(text: string, programs: readonly InstalledProgram[]): Pull | undefined {
  const [, kind, name = ''] = /^(ollama|lms):(.*)$/s.exec(text) ?? [];
  if (kind !== 'ollama' && kind !== 'lms') return undefined;
  if (!isPullName(name)) {
    throw new SetUpError('address', l10n.t('"{0}" is not a name of a model, such as qwen3:8b.', name.slice(0, 100)));
  }
  const file = programs.find((program) => program.kind === kind)?.file;
  if (file === undefined) throw new SetUpError('program', l10n.t('{0} was not found on this machine.', kind));
  return { kind, file, name };
}

/** The question before it: command, host, and where to find size and licence. Neither program tells them before it fetches. */
export function pullConsent({ kind, name }: Pull): string {
  const command = [kind, ...pullArguments(kind, name)].join(' ');
  const [first = ''] = name.replace(/^https?:\/\//, '').split('/');
  const usual = kind === 'ollama' ? 'registry.ollama.ai' : 'huggingface.co';
  const host = first.includes('.') && name.includes('/') ? first : usual;
  const page =
    kind === 'ollama' && host === usual
      ? `https://ollama.com/${name.includes('/') ? '' : 'library/'}${name.replace(/:[^/]*$/, '')}`
      : l10n.t('the page of the model at {0}', host);
  return [
    `• ${l10n.t('{0} from {1}, with the command: {2}', name, host, command)}`,
    `• ${l10n.t('Size and licence are not known before: see {0}.', page)}`,
    l10n.t('{0} keeps the model in its own folder.', kind === 'ollama' ? 'Ollama' : 'LM Studio'),
  ].join('\n');
}

/** `lms` refuses a format for names of the form `owner/model`, and may choose another one than GGUF for all others. */
function pullArguments(kind: Pull['kind'], name: string): readonly string[] {
  if (kind === 'ollama') return ['pull', name];
  return ['get', name, ...(name.split('/').length === 2 ? [] : ['--gguf']), '--yes'];
}

export interface PullOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Aborting stops the program. Both programs go on from there the next time. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
}

/** Runs the program without a shell, after a clear yes of the person. Rejects with a `SetUpError`. */
export async function pullModel({ kind, file, name }: Pull, { env, signal, onProgress }: PullOptions): Promise<void> {
  signal.throwIfAborted();
  const args = pullArguments(kind, name);
  const output = new PullOutput();
  const child = spawn(file, [...args], {
    env: foreignEnvironment(env),
    cwd: folderToRunIn(file),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGINT');
    // The first one makes `lms` ask whether to go on in the background. Nobody can answer; the second one ends it.
    killing = setTimeout(() => {
      child.kill('SIGINT');
      killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
    }, ASK_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      const progress = output.add(piece);
      if (progress) onProgress(progress);
    });
  }
  try {
    const end = await new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(l10n.t('{0} cannot be started: {1}', kind, error.message)));
      child.once('close', (code, by) => resolve(code === 0 ? undefined : endText(kind, by, code)));
    });
    if (signal.aborted)
      throw new SetUpError('paused', l10n.t('{0} was stopped. It goes on from there the next time.', kind));
    if (end !== undefined) throw new SetUpError('program', `${end}. ${output.lastWords}`.trim());
  } finally {
    clearTimeout(killing);
    signal.removeEventListener('abort', stop);
  }
}

function endText(program: string, signal: NodeJS.Signals | null, code: number | null): string {
  return signal === null
    ? l10n.t('{0} ended with code {1}', program, code ?? 0)
    : l10n.t('{0} ended with {1}', program, signal);
}

/** The file of a model that was just pulled. `undefined`: it was not found, so only its own program can run it. */
export function pulledFile(
  { kind, name }: Pull,
  before: readonly FoundModelFile[],
  after: readonly FoundModelFile[],
): FoundModelFile | undefined {
  if (kind === 'ollama') {
    const whole = /:[^/]*$/.test(name) ? name : `${name}:latest`;
    return after.find((found) => found.from === 'Ollama' && found.name === whole);
  }
  const known = new Set(before.map(({ file }) => file));
  return after.find((found) => found.from === 'LM Studio' && !known.has(found.file));
}
