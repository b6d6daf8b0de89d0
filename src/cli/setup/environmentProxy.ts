type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for https that `HTTPS_PROXY` or `ALL_PROXY` names, unless `NO_PROXY` excludes the host. Names in small letters count too, and
 * first. Throws when the variable holds no address: a direct connection would not be what the person wanted.
 */
export function environmentProxy(env: Environment): (url: URL) => URL | undefined {
  const named = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const text = named('HTTPS_PROXY') || named('ALL_PROXY');
  if (text === '') return () => undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol !== 'http:' && proxy?.protocol !== 'https:') {
    throw new Error('HTTPS_PROXY or ALL_PROXY holds no address of an http or https proxy.');
  }
  const excluded = named('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return (url) => (excluded.some((entry) => matches(entry, url)) ? undefined : proxy);
}

/** `example.org` and `.example.org` also mean the hosts below it. A port is compared if the entry has one. */
function matches(entry: string, { hostname, port, protocol }: URL): boolean {
  if (entry === '*') return true;
  const [, host = '', wantedPort] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  const name = host.replace(/^\*?\./, '');
  return name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
}
