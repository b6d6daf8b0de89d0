import * as l10n from '../../util/l10n';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { openDownload, type OpenedDownload, type OpenOptions } from '../download/openDownload';
import { SetUpError } from '../download/setUpError';
import { sizeText } from '../download/transferRate';
import { unreachableText } from '../download/unreachableText';
import { expectedSpeed, fitModel } from '../fit/fitModel';
import { readModelFile, readModelHeader, type ModelFacts } from '../gguf/modelFacts';
import type { Hardware } from '../machine/hardware';
import type { ModelSource, ProgramSource, SetUpChoice } from './setUpChoice';

export interface OwnModelOptions {
  readonly hardware: Hardware;
  readonly program: ProgramSource;
}

/** A choice from a file of the person. Rejects with a text for people when it is no model or does not fit. */
export async function choiceOfFile(file: string, options: OwnModelOptions): Promise<SetUpChoice> {
  const { size } = await stat(file);
  const facts = await readModelFile(file);
  const name = path.basename(file).replace(/\.gguf$/i, '');
  return choiceOf(
    { id: `file:${name}`, name, bytes: size, from: l10n.t('your file') },
    { kind: 'file', file },
    facts,
    options,
  );
}

/**
 * A choice from an address of the person. Asks the host for size, checksum and the header of the file, and nothing more. Rejects
 * with a text for people when it is no model or does not fit.
 */
export async function choiceOfUrl(
  url: string,
  {
    fetch,
    signal,
    ...options
  }: OwnModelOptions & { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<SetUpChoice> {
  const head = await opened(url, { fetch: headersKept(fetch), signal, headers: { range: 'bytes=0-0' } });
  await head.response.body?.cancel();
  const { host } = head.url;
  const range = /\/(\d{1,15})$/.exec(head.response.headers.get('content-range') ?? '')?.[1];
  if (head.response.status !== 206 || range === undefined) {
    throw new SetUpError(
      'host',
      l10n.t('{0} does not offer parts of the file (status {1}).', host, head.response.status),
    );
  }
  const facts = await readModelHeader(async (offset, length) => {
    const part = await opened(url, {
      fetch,
      signal,
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
    });
    if (part.response.status !== 206) {
      await part.response.body?.cancel();
      throw new SetUpError(
        'host',
        l10n.t('{0} does not send a part of the file (status {1}).', host, part.response.status),
      );
    }
    return readAtMost(part.response, length);
  });
  const fileName = safeFileName(new URL(url).pathname);
  const sha256 = linkedChecksum(head.response);
  const name = fileName.replace(/\.gguf$/i, '');
  const source: ModelSource = {
    kind: 'download',
    url,
    fileName,
    licence: facts.licence ?? l10n.t('not named in the file'),
    ...(sha256 !== undefined && { sha256 }),
  };
  return choiceOf(
    { id: `url:${name}`, name, bytes: Number(range), from: l10n.t('from {0}', host) },
    source,
    facts,
    options,
  );
}

/** Says in words why a host was not reached. */
async function opened(url: string, options: OpenOptions): Promise<OpenedDownload> {
  try {
    return await openDownload(url, options);
  } catch (error) {
    if (error instanceof SetUpError) throw error;
    const { host } = new URL(url);
    const { aborted, reason } = options.signal;
    const isSilent = aborted && reason instanceof Error && reason.name === 'TimeoutError';
    if (aborted && !isSilent) throw error;
    throw new SetUpError('host', isSilent ? l10n.t('{0} is silent.', host) : unreachableText(host, error), {
      cause: error,
    });
  }
}

function choiceOf(
  known: Pick<SetUpChoice, 'id' | 'name' | 'bytes' | 'from'>,
  model: ModelSource,
  { architecture }: ModelFacts,
  { hardware, program }: OwnModelOptions,
): SetUpChoice {
  const sized = { bytes: known.bytes, architecture };
  const fit = fitModel(sized, hardware);
  if (!fit) {
    const short = (architecture.trainedContext ?? Infinity) < 16_384;
    throw new SetUpError(
      'program',
      short
        ? l10n.t('{0} was trained for less than 16k tokens of context, which an agent needs.', known.name)
        : l10n.t(
            '{0} does not fit into this machine: it has {1}. Choose a smaller model or quantisation.',
            known.name,
            sizeText(known.bytes),
          ),
    );
  }
  return { ...known, model, program, fit, speed: expectedSpeed(fit, sized) };
}

/** The checksum is told before the redirect to the file, so it is kept for the last answer. */
function headersKept(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  let etag: string | null = null;
  return async (input, init) => {
    const response = await fetch(input, init);
    etag = response.headers.get('x-linked-etag') ?? etag;
    if (etag !== null) response.headers.set('x-linked-etag', etag);
    return response;
  };
}

function linkedChecksum({ headers }: Response): string | undefined {
  return /^(?:W\/)?"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1];
}

async function readAtMost({ body }: Response, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done && size < length; piece = await reader?.read()) {
    parts.push(piece.value);
    size += piece.value.length;
  }
  await reader?.cancel();
  return Buffer.concat(parts).subarray(0, length);
}

function safeFileName(pathname: string): string {
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '_');
  return /^[\w-][\w.-]*\.gguf$/i.test(name) ? name.slice(-150) : 'model.gguf';
}
