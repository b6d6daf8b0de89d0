import * as l10n from '../../util/l10n';
import { isLoopbackHost } from '../../sdk/model/http/loopback';
import { SetUpError } from './setUpError';

const MAX_REDIRECTS = 5;

export interface OpenedDownload {
  /** 200 or 206. */
  readonly response: Response;
  /** Where the answer came from, after redirects. */
  readonly url: URL;
}

export interface OpenOptions {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly method?: 'GET' | 'HEAD' | undefined;
}

/**
 * Opens an address and follows redirects, from https only to https. Plain http is for this machine alone. Resolves with any
 * answer that is no redirect. No cookies and no keys are sent.
 */
export async function openDownload(address: string, options: OpenOptions): Promise<OpenedDownload> {
  let url = downloadAddress(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { fetch, signal, headers, method = 'GET' } = options;
    const response = await fetch(url.href, { method, signal, redirect: 'manual', ...(headers && { headers }) });
    const to = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (to === null) return { response, url };
    await response.body?.cancel();
    const next = URL.canParse(to, url.href) ? new URL(to, url) : undefined;
    if (!next || !mayFollow(url, next)) {
      const where = next ? addressText(next) : l10n.t('it cannot be read');
      throw new SetUpError('redirect', l10n.t('{0} redirects to an address that is not safe: {1}', url.host, where));
    }
    url = next;
  }
  throw new SetUpError('redirect', l10n.t('{0} redirects too often.', url.host));
}

/** Parses an address to download from. Throws with a text for people. */
export function downloadAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))) {
    if (url.username === '' && url.password === '') return url;
    throw new SetUpError('address', l10n.t('The address must not hold a name or a password.'));
  }
  const shown = url ? addressText(url) : address.slice(0, 300);
  throw new SetUpError('address', l10n.t('"{0}" is not an https address.', shown));
}

/** An address for people, without what may be a secret: names, passwords, and signatures after the path. */
export function addressText({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`.slice(0, 300);
}

function mayFollow(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (from.protocol === 'https:') return to.protocol === 'https:';
  return isLoopbackHost(to.hostname) && (to.protocol === 'http:' || to.protocol === 'https:');
}
