import type { TransportRequestInit } from '../../sdk/model/http/httpTransport';
import { isAllowedPath } from '../../bridge/allowedRequests';
import { bridgeCommand, bridgeName, bridgeVersion, type BridgeEvent, type BridgeReply } from '../../bridge/messages';
import type { BridgeMessage, StartMessage } from '../../bridge/parseMessage';
import { parseReply } from './parseReply';
import * as l10n from '../../util/l10n';

/** VS Code's `commands.executeCommand`. The command runs on the laptop. */
export type CallCommand = (command: string, message: unknown) => PromiseLike<unknown>;

/** A message without its version. */
type Question = BridgeMessage extends infer One ? (One extends unknown ? Omit<One, 'version'> : never) : never;

/** Sends a message to the bridge. Rejects with an error that names the way out when the bridge is missing or old. */
export async function askBridge(call: CallCommand, question: Question): Promise<BridgeReply> {
  let answer: unknown;
  try {
    answer = await call(bridgeCommand, { version: bridgeVersion, ...question });
  } catch (error) {
    // Without its cause: that one would be shown, and it names only a command.
    if (error instanceof Error && error.message.includes(bridgeCommand)) throw new Error(missing());
    throw new Error(l10n.t('{0} on your laptop failed.', bridgeName), { cause: error });
  }
  const reply = parseReply(answer);
  if (!reply)
    throw new Error(l10n.t('{0} on your laptop has another version. Install the same version of both.', bridgeName));
  return reply;
}

const missing = (): string =>
  l10n.t(
    'the extension {0} is not installed on your laptop. Install open-agent-bridge.vsix in a local window (Extensions: Install from VSIX…), reload this window, and try again. To use a server of the remote machine, turn off the setting openAgent.useLaptop.',
    bridgeName,
  );

/**
 * A `fetch` whose requests the laptop sends. Method and headers of a request are not passed on: the bridge sets them. Rejects
 * as `createFetch` does, and when the bridge refuses. The laptop asks the person about a server only where `mayAsk` says so.
 */
export function createBridgedFetch(call: CallCommand, mayAsk: (origin: string) => boolean): typeof fetch {
  return async (input, init?: TransportRequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const message = messageOf(url, init?.body, mayAsk(url.origin));
    const signal = init?.signal ?? undefined;
    signal?.throwIfAborted();
    if (typeof message === 'string') return refused(400, message);
    const started = await start(call, message, signal);
    // An answer, not a failure: asking again does not help.
    if (started.kind === 'refused') return refused(started.reason === 'busy' ? 429 : 400, refusalText(started));
    const { id } = started;
    const stop = (): void => void askBridge(call, { type: 'cancel', id }).catch(() => undefined);
    signal?.addEventListener('abort', stop, { once: true });
    const release = (): void => signal?.removeEventListener('abort', stop);
    const events = readEvents(call, id, signal);
    try {
      for (;;) {
        const { value: event, done } = await events.next();
        if (done) throw new Error(l10n.t('The answer ended before it began.'));
        if (event.type === 'sent') init?.onSent?.();
        else if (event.type === 'failed') throw failureOf(event);
        else if (event.type === 'head') return responseOf(event, url, { events, stop, release });
      }
    } catch (error) {
      release();
      stop();
      throw signal?.aborted ? reasonOf(signal) : error;
    }
  };
}

/** A text: why the bridge would not send it. */
function messageOf(url: URL, body: unknown, mayAsk: boolean): StartMessage | string {
  const { origin, pathname: path, searchParams } = url;
  const model = searchParams.get('model') ?? undefined;
  if (!isAllowedPath(path) || (url.search !== '' && model === undefined)) {
    return l10n.t('{0} does not send requests to {1}. Do this on your laptop.', bridgeName, path);
  }
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new TypeError(l10n.t('The bridge takes only text as the body of a request.'));
  }
  const given = { ...(model !== undefined && { model }), ...(typeof body === 'string' && { body }) };
  return { version: bridgeVersion, type: 'start', origin, path, mayAsk, ...given };
}

/** An answer in the form in which servers tell errors. */
function refused(status: number, message: string): Response {
  return Response.json({ error: { message } }, { status });
}

/** The consent of the person may take a while. A request that was aborted meanwhile is cancelled when it begins. */
async function start(
  call: CallCommand,
  message: StartMessage,
  signal: AbortSignal | undefined,
): Promise<BridgeReply & { readonly kind: 'started' | 'refused' }> {
  const started = askBridge(call, message);
  const reply = await untilAborted(started, signal, () => {
    started.then(
      (late) => (late.kind === 'started' ? askBridge(call, { type: 'cancel', id: late.id }) : undefined),
      () => undefined,
    );
  });
  if (reply.kind === 'started' || reply.kind === 'refused') return reply;
  throw new Error(l10n.t('{0} gave an answer that does not belong to a request.', bridgeName));
}

/** Resolves as `work` does. When the signal is aborted first, calls `onAbort` and rejects with its reason. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      onAbort();
      reject(reasonOf(signal));
    };
    signal?.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
  });
}

function refusalText({ reason, message }: BridgeReply & { readonly kind: 'refused' }): string {
  if (reason !== 'consent') return message;
  return l10n.t('{0} To be asked again, run "Open Agent: Use a Model Server on Your Laptop…".', message);
}

async function* readEvents(
  call: CallCommand,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<BridgeEvent, void, undefined> {
  for (;;) {
    const reply = await askBridge(call, { type: 'read', id });
    signal?.throwIfAborted();
    if (reply.kind !== 'events') throw new Error(l10n.t('The laptop ended the request.'));
    yield* reply.events;
    if (reply.events.some(({ type }) => type === 'end' || type === 'failed')) return;
  }
}

interface Reading {
  readonly events: AsyncGenerator<BridgeEvent, void, undefined>;
  readonly stop: () => void;
  readonly release: () => void;
}

function responseOf(head: BridgeEvent & { type: 'head' }, url: URL, { events, stop, release }: Reading): Response {
  const { status, headers } = head;
  // The constructor refuses such a status with a body.
  const hasBody = status >= 200 && ![204, 205, 304].includes(status);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value: event, done } = await events.next();
          if (event?.type === 'data') return controller.enqueue(Buffer.from(event.base64, 'base64'));
          release();
          if (event?.type === 'failed') controller.error(failureOf(event));
          else if (done || event.type === 'end') controller.close();
          else controller.error(new Error(l10n.t('The laptop sent an answer that cannot be read.')));
        } catch (error) {
          release();
          stop();
          controller.error(error);
        }
      },
      cancel() {
        release();
        stop();
      },
    },
    { highWaterMark: 0 },
  );
  if (!hasBody) {
    release();
    stop();
  }
  const response = new Response(hasBody ? body : null, { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

/** `code` as the system gave it on the laptop, so that the error is described as any other. */
function failureOf({ code, message }: { readonly code: string; readonly message: string }): Error {
  return Object.assign(new Error(message), code !== '' && { code });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(l10n.t('The request was aborted.'), { cause: reason });
}
