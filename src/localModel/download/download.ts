import * as l10n from '../../util/l10n';
import { createHash, randomUUID, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import * as files from 'node:fs/promises';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { delay } from '../../util/async/delay';
import { messageOf } from '../../util/errors';
import { systemTimer } from '../../util/timer';
import { FileLock } from '../../workspace/node/files/fileLock';
import { nodeProcesses } from '../../workspace/node/processes/processIdentity';
import { freeDiskBytes } from '../machine/hardware';
import { addressText, openDownload } from './openDownload';
import { SetUpError } from './setUpError';
import { sizeText, TransferRate, type Progress } from './transferRate';
import { unreachableText } from './unreachableText';

export interface DownloadOptions {
  readonly url: string;
  /** The exact size. More is never written. */
  readonly bytes: number;
  /** Absent: nobody has published one. Only the size is checked. */
  readonly sha256?: string | undefined;
  /** The finished file. While it is not complete, `TARGET.part` stands beside it. */
  readonly target: string;
  readonly fetch: typeof fetch;
  /** Aborting pauses: what is there stays, and the next call goes on from there. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The host failed, and is asked again after this time. */
  readonly onWait?: ((error: SetUpError, waitMs: number) => void) | undefined;
  /** The host has sent nothing for this time. It may still go on. */
  readonly onQuiet?: ((host: string, quietMs: number) => void) | undefined;
  /** For tests. The times are milliseconds. */
  readonly now?: (() => number) | undefined;
  readonly waitMs?: ((attempt: number) => number) | undefined;
  readonly silenceMs?: number | undefined;
  readonly quietMs?: number | undefined;
}

/** Attempts without a single new byte, before it gives up. */
const MAX_FAILURES = 6;
const DEFAULT_SILENCE_MS = 60_000;
const DEFAULT_QUIET_MS = 10_000;
/** A host may ask for patience, but not for hours. */
const MAX_WAIT_MS = 60_000;
/** The disk keeps some room for others. */
const SPARE_DISK_BYTES = 200_000_000;
const PROGRESS_MS = 200;

/** The file of a download that is not complete. */
export function partOf(target: string): string {
  return `${target}.part`;
}

/**
 * Downloads a file and checks it. Goes on where an earlier call stopped, at whatever byte. The finished file appears under its name
 * only when size and checksum are right. Rejects with a `SetUpError`.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { target, signal } = options;
  await mkdir(path.dirname(target), { recursive: true });
  try {
    const lock = lockOf(target);
    await lock.acquire();
    try {
      await downloadLocked(options);
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (signal.aborted) throw new SetUpError('paused', l10n.t('The download is paused.'), { cause: error });
    throw asSetUpError(error);
  }
}

/** Only one process at a time writes a file: two would mix their bytes in one part. */
function lockOf(target: string): FileLock {
  return new FileLock({
    path: `${target}.lock`,
    files,
    processes: nodeProcesses,
    now: Date.now,
    newToken: randomUUID,
    setTimer: systemTimer,
    heldElsewhere: () => new SetUpError('busy', l10n.t('Another download of {0} is running.', path.basename(target))),
  });
}

async function downloadLocked(options: DownloadOptions): Promise<void> {
  if (await isComplete(options)) return;
  const wasPart = (await sizeOf(partOf(options.target))) > 0;
  try {
    await downloadOnce(options);
  } catch (error) {
    // An old part may be of another version of the file, or damaged by a crash. The whole file gets one chance.
    if (!wasPart || !(error instanceof SetUpError) || error.code !== 'checksum') throw error;
    await downloadOnce(options);
  }
}

/** Deletes what an unfinished download has left. */
export async function discardPart(target: string): Promise<void> {
  await rm(partOf(target), { force: true });
}

async function isComplete({ target, bytes, sha256 }: DownloadOptions): Promise<boolean> {
  if ((await sizeOf(target)) !== bytes) return false;
  // Another version stays until the new one is complete.
  return sha256 === undefined || (await hashOf(target)).digest('hex') === sha256;
}

async function downloadOnce(options: DownloadOptions): Promise<void> {
  const { bytes, target, sha256, signal, onProgress, now = performance.now.bind(performance) } = options;
  const part = partOf(target);
  // What is longer than the file cannot be its beginning.
  if ((await sizeOf(part)) > bytes) await rm(part);
  const hash = await hashOf(part);
  const file = await open(part, 'a', 0o600);
  try {
    let doneBytes = (await file.stat()).size;
    await checkDisk(path.dirname(target), bytes - doneBytes);
    const rate = new TransferRate(now);
    let toldMs = -Infinity;
    const transfer: Transfer = {
      file,
      hash,
      doneBytes,
      told: () => {
        const ms = now();
        if (ms - toldMs < PROGRESS_MS && transfer.doneBytes < bytes) return;
        toldMs = ms;
        const bytesPerSecond = rate.add(transfer.doneBytes);
        onProgress?.({
          doneBytes: transfer.doneBytes,
          totalBytes: bytes,
          ...(bytesPerSecond !== undefined && { bytesPerSecond }),
        });
      },
    };
    transfer.told();
    for (let failures = 0; transfer.doneBytes < bytes;) {
      doneBytes = transfer.doneBytes;
      const outcome = await receive(transfer, options);
      if (transfer.doneBytes > doneBytes) failures = 0;
      if (outcome === undefined) continue;
      failures += 1;
      if (failures >= MAX_FAILURES) {
        const { code, message } = outcome.error;
        throw new SetUpError(code, `${message} ${l10n.t('What was downloaded stays. Try again later.')}`, {
          cause: outcome.error,
        });
      }
      const waitMs = Math.min(outcome.waitMs ?? (options.waitMs ?? usualWaitMs)(failures), MAX_WAIT_MS);
      options.onWait?.(outcome.error, waitMs);
      await delay(waitMs, signal);
      signal.throwIfAborted();
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (sha256 !== undefined && hash.digest('hex') !== sha256) {
    await rm(part, { force: true });
    throw new SetUpError(
      'checksum',
      l10n.t('{0} is not the file that was expected: its checksum is wrong. It was deleted.', path.basename(target)),
    );
  }
  await rename(part, target);
}

interface Transfer {
  readonly file: FileHandle;
  /** Of the bytes in the file. */
  hash: Hash;
  doneBytes: number;
  readonly told: () => void;
}

/** A failure after which another attempt may help. */
interface Hiccup {
  readonly error: SetUpError;
  readonly waitMs?: number | undefined;
}

/** One request. `undefined`: the answer came to its end. Rejects when another attempt is of no use. */
async function receive(transfer: Transfer, options: DownloadOptions): Promise<Hiccup | undefined> {
  const { url, bytes, fetch, signal, onQuiet } = options;
  const { silenceMs = DEFAULT_SILENCE_MS, quietMs = DEFAULT_QUIET_MS } = options;
  const silence = new AbortController();
  const { host } = new URL(url);
  const listen = () => [
    setTimeout(() => onQuiet?.(host, quietMs), quietMs),
    setTimeout(() => silence.abort(), silenceMs),
  ];
  let timers = listen();
  try {
    const headers = transfer.doneBytes > 0 ? { range: `bytes=${transfer.doneBytes}-` } : undefined;
    const opened = await openDownload(url, {
      fetch,
      signal: AbortSignal.any([signal, silence.signal]),
      ...(headers && { headers }),
    });
    const { response } = opened;
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      const seconds = Number(response.headers.get('retry-after') ?? NaN);
      return {
        error: new SetUpError('host', l10n.t('{0} answers with status {1}.', opened.url.host, response.status)),
        ...(Number.isFinite(seconds) && seconds >= 0 && { waitMs: seconds * 1_000 }),
      };
    }
    if (response.status === 416 || (response.status === 206 && !continues(response, transfer.doneBytes, bytes))) {
      await response.body?.cancel();
      await startAgain(transfer);
      return { error: new SetUpError('host', l10n.t('{0} offers another file than expected.', opened.url.host)) };
    }
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      if (response.status === 407) throw new SetUpError('host', proxyText(opened.url.host));
      const { host } = opened.url;
      const address = addressText(opened.url);
      throw new SetUpError(
        'host',
        response.status === 404
          ? l10n.t('{0} does not have the file: {1}', host, address)
          : l10n.t('{0} answers with status {1}: {2}', host, response.status, address),
      );
    }
    // The host cannot go on in the middle.
    if (response.status === 200 && transfer.doneBytes > 0) await startAgain(transfer);
    const reader = response.body?.getReader();
    if (!reader) return { error: new SetUpError('host', l10n.t('{0} sent nothing.', opened.url.host)) };
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        timers.forEach(clearTimeout);
        timers = listen();
        if (transfer.doneBytes + piece.value.length > bytes) {
          await startAgain(transfer);
          throw new SetUpError(
            'checksum',
            l10n.t('{0} sends more than the {1} bytes that were expected.', opened.url.host, bytes),
          );
        }
        await transfer.file.appendFile(piece.value);
        transfer.hash.update(piece.value);
        transfer.doneBytes += piece.value.length;
        transfer.told();
        signal.throwIfAborted();
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
    return transfer.doneBytes < bytes
      ? {
          error: new SetUpError(
            'host',
            l10n.t('{0} ended the connection before the file was complete.', opened.url.host),
          ),
        }
      : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SetUpError || isDiskError(error)) throw error;
    const text = silence.signal.aborted ? l10n.t('{0} is silent.', host) : unreachableText(host, error);
    return { error: new SetUpError('host', text, { cause: error }) };
  } finally {
    timers.forEach(clearTimeout);
  }
}

/** Only a proxy answers so: the host is not reached. */
function proxyText(host: string): string {
  return l10n.t(
    'The proxy on the way to {0} asks for a name and a password (status 407). Check the settings of the proxy.',
    host,
  );
}

function continues(response: Response, at: number, bytes: number): boolean {
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  return range !== null && Number(range[1]) === at && (range[2] === '*' || Number(range[2]) === bytes);
}

async function startAgain(transfer: Transfer): Promise<void> {
  await transfer.file.truncate(0);
  transfer.hash = createHash('sha256');
  transfer.doneBytes = 0;
}

async function checkDisk(folder: string, missing: number): Promise<void> {
  const free = await freeDiskBytes(folder);
  if (free === undefined || free >= missing + SPARE_DISK_BYTES) return;
  throw new SetUpError(
    'disk_full',
    l10n.t(
      'There is not enough room on the disk: it needs {0}, and {1} to spare, and has {2}. Choose another folder, or delete something.',
      sizeText(missing),
      sizeText(SPARE_DISK_BYTES),
      sizeText(free),
    ),
  );
}

async function hashOf(file: string): Promise<Hash> {
  const hash = createHash('sha256');
  if ((await sizeOf(file)) === 0) return hash;
  for await (const piece of createReadStream(file, { highWaterMark: 1024 ** 2 })) hash.update(piece as Buffer);
  return hash;
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

function usualWaitMs(failures: number): number {
  return 1_000 * 2 ** (failures - 1);
}

function isDiskError(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === 'EFBIG' ||
    (code !== undefined && syscall === 'write' && code !== 'EPIPE' && code !== 'ECONNRESET')
  );
}

function asSetUpError(error: unknown): SetUpError {
  if (error instanceof SetUpError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new SetUpError(
      'disk_full',
      l10n.t('The disk is full. What was downloaded stays; the download goes on from there.'),
      {
        cause: error,
      },
    );
  }
  return new SetUpError('disk', l10n.t('The file cannot be written: {0}', messageOf(error)), { cause: error });
}
