import { createLazy } from '../../../util/lazy';
import type { TransportOptions } from './httpTransport';

/** `createFetch`, whose modules of Node are loaded with the first request. */
export function createLazyFetch(options: TransportOptions = {}): typeof fetch {
  const transport = createLazy(async () => (await import('./httpTransport')).createFetch(options));
  return async (...request) => (await transport.get())(...request);
}
