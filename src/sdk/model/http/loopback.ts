import { isIPv6, type LookupFunction } from 'node:net';

/** Whether a URL's host is this machine itself: `localhost` and what ends in it, 127.0.0.0/8, `[::1]`. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return isLocalhostName(host) || /^127(?:\.\d{1,3}){3}$/.test(host) || LOOPBACK_V6.test(host);
}

/**
 * The addresses of `localhost`, whatever a resolver would say: servers listen on one of them, and some systems resolve
 * the name to the other alone. Other names and addresses are looked up as ever.
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

/** IPv4 first: it is where nearly all model servers listen. */
const LOCALHOST_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
] as const;

/** As `URL` writes them. */
const LOOPBACK_V6 = /^(?:::1|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})$/;

function isLocalhostName(host: string): boolean {
  return !isIPv6(host) && /^(?:.+\.)?localhost\.?$/.test(host);
}
