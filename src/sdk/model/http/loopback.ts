import { isIPv6, type LookupFunction } from 'node:net';

/** Whether a URL's host is this machine: `localhost` and its subdomains, 127.0.0.0/8, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return isLocalhostName(host) || /^127(?:\.\d{1,3}){3}$/.test(host) || LOOPBACK_V6.test(host);
}

/**
 * Resolves `localhost` to both of its addresses, because servers listen on one and some systems resolve only the
 * other. Looks up other names as usual.
 */
export function loopbackLookup(otherwise: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    if (!isLocalhostName(hostname.toLowerCase())) otherwise(hostname, options, callback);
    else if (options.all === true) callback(null, [...LOCALHOST_ADDRESSES]);
    else {
      const isV6 = options.family === 6 || options.family === 'IPv6';
      const { address, family } = LOCALHOST_ADDRESSES[isV6 ? 1 : 0];
      callback(null, address, family);
    }
  };
}

/** IPv4 first, because nearly all model servers listen there. */
const LOCALHOST_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const;

/** In the notation of `URL`. */
const LOOPBACK_V6 = /^(?:::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/;

function isLocalhostName(host: string): boolean {
  // The first test of an IPv6 address in a process takes milliseconds.
  return /^(?:.+\.)?localhost\.?$/.test(host) && !isIPv6(host);
}
