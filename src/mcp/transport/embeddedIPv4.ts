/**
 * The IPv4 addresses that a valid IPv6 address (no zone) may stand for: mapped, compatible and translated (RFC 4291,
 * RFC 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo (RFC 4380) and ISATAP (RFC 5214).
 */
export function embeddedIPv4(address: string): readonly string[] {
  const bytes = bytesOf(address);
  const at = (...places: readonly number[]): string => places.map((place) => bytes[place]).join('.');
  const startsWith = (...prefix: readonly number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const last = at(12, 13, 14, 15);
  const found: string[] = [];
  // All-zero beginning: `::a.b.c.d`, `::ffff:a.b.c.d`, `::ffff:0:a.b.c.d`.
  if (startsWith(0, 0, 0, 0, 0, 0, 0, 0)) found.push(last);
  // The prefix 64:ff9b::/96, and 64:ff9b:1::/48 with every length of prefix that RFC 6052 allows inside it.
  if (startsWith(0x00, 0x64, 0xff, 0x9b)) {
    found.push(last, at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12));
  }
  if (startsWith(0x20, 0x02)) found.push(at(2, 3, 4, 5));
  if (startsWith(0x20, 0x01, 0x00, 0x00)) {
    found.push(at(4, 5, 6, 7), [12, 13, 14, 15].map((place) => (bytes[place] ?? 0) ^ 0xff).join('.'));
  }
  if (bytes[10] === 0x5e && bytes[11] === 0xfe) found.push(last);
  return found;
}

function bytesOf(address: string): readonly number[] {
  // A URL writes an address in one form: groups of hexadecimal digits, one run of zeros as `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
  const [first, rest] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - first.length - rest.length }, () => '0');
  return [...first, ...zeros, ...rest].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
