/**
 * The text of a link that names another address than the link opens; `undefined` if it names none or the same. `href`
 * must be a valid address.
 */
export function pretendedAddress(text: string, href: string): string | undefined {
  const { protocol, host, pathname } = new URL(href);
  // Ignores invisible characters and look-alikes of dots and slashes.
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  if (protocol === 'mailto:') {
    const isOther =
      !/\s/.test(plain) && plain.slice(1, -1).includes('@') && plain.toLowerCase() !== pathname.toLowerCase();
    return isOther ? text : undefined;
  }
  const hosts = [...plain.matchAll(WITH_SCHEME), ...plain.matchAll(BARE)].map((match) => match[1] ?? '');
  return hosts.some((named) => !isSameHost(named, host)) ? text : undefined;
}

const WITH_SCHEME = /(?<=[a-z0-9+.-]):\/\/(?:[^\s/?#@]*@)?([^\s/?#@]+)/giu;
/** Text without a scheme may be a file name, so only endings count that files seldom have. */
const BARE =
  /^((?:www\.[^\s/?#@]+|[^\s/?#@]+\.(?:com|org|net|io|dev|ai|app|gov|edu|co|info))(?::\d+)?)(?:[/?#]\S*)?$/giu;

function isSameHost(named: string, host: string): boolean {
  const bare = (name: string): string => name.toLowerCase().replace(/^www\./, '');
  if (bare(named) === bare(host)) return true;
  // Addresses write international names in another form.
  return URL.canParse(`https://${named}`) && bare(new URL(`https://${named}`).host) === bare(host);
}

/**
 * Whether the host name has letters beyond ASCII, which can look like others. `href`, a valid address, spells them
 * `xn--…`.
 */
export function hasInternationalHost(href: string): boolean {
  const { protocol, hostname, pathname } = new URL(href);
  const host = protocol === 'mailto:' ? (pathname.split('@').at(-1) ?? '') : hostname;
  return /[^!-~]|%/.test(host) || host.split('.').some((label) => label.toLowerCase().startsWith('xn--'));
}
