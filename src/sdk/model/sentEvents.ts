import { oneByOne, type ArraySink } from '../../util/async/oneByOne';
import type { ModelEvent, ModelProvider, ModelRequest } from './modelProvider';
import type { Signal } from '../platform';

/** Receives the events of a response: those of one read from the server as one array. */
export type EventSink = ArraySink<ModelEvent>;

/** Streams one response into a sink, as `ModelProvider.stream` does to a reader. The sink may leave: then the connection is closed. */
type SendEvents = (request: ModelRequest, options: { readonly signal: Signal }, sink: EventSink) => Promise<void>;

/** A provider of the SDK itself. Each generator between a server and its reader would cost every event several promises. */
interface SendingProvider extends ModelProvider {
  readonly [SEND]: SendEvents;
}

const SEND = Symbol('send');

/** A provider that gives the events of `send`: to readers one by one, to `sendEvents` as they are. */
export function createProvider(send: SendEvents): ModelProvider {
  const provider: SendingProvider = {
    stream: (request, options) => oneByOne((sink) => send(request, options, sink)),
    [SEND]: send,
  };
  return provider;
}

/** Sends the events of any provider to a sink. Rejects as its stream does. */
export async function sendEvents(
  provider: ModelProvider,
  request: ModelRequest,
  options: { readonly signal: Signal },
  sink: EventSink,
): Promise<void> {
  if (isSending(provider)) return provider[SEND](request, options, sink);
  for await (const event of provider.stream(request, options)) {
    await sink.take([event]);
    if (sink.hasLeft) break;
  }
}

function isSending(provider: ModelProvider): provider is SendingProvider {
  return SEND in provider;
}
