import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { embeddedIPv4 } from './embeddedIPv4';

/** Clouds serve a machine's credentials at these addresses. No real MCP server is there. */
const blocked = new BlockList();
blocked.addSubnet('169.254.0.0', 16, 'ipv4');
blocked.addSubnet('fe80::', 10, 'ipv6');
blocked.addAddress('fd00:ec2::254', 'ipv6');
blocked.addAddress('100.100.100.200', 'ipv4');

/**
 * Returns whether an IP address (no brackets; a zone is ignored) is blocked. An IPv6 address through which a gateway or
 * tunnel reaches a blocked IPv4 address is blocked too.
 */
export function isBlockedAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  if (family === 0) return true;
  if (family === 4) return blocked.check(plain, 'ipv4');
  return blocked.check(plain, 'ipv6') || embeddedIPv4(plain).some((inner) => blocked.check(inner, 'ipv4'));
}

type Resolve = (host: string) => Promise<readonly string[]>;

const resolveHost: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** A `fetch` that refuses requests and redirects to hosts with a blocked address. */
export function withoutLinkLocal(fetchAny: typeof fetch, resolve: Resolve = resolveHost): typeof fetch {
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = isIP(host) === 0 ? await resolve(host) : [host];
    const bad = addresses.find(isBlockedAddress);
    if (bad !== undefined) throw new Error(`${describe(host, bad)} a link-local address. Such addresses are blocked.`);
    return fetchAny(input, init);
  };
}

function describe(host: string, address: string): string {
  if (host !== address) return `${host} is at ${address}, which is or leads to`;
  return isIP(host) === 4 ? `${host} is` : `${host} is or leads to`;
}
