interface Drafts {
  /** Typed on the earlier page, which may not have told the host. */
  readonly own: string;
  /** The draft that the earlier page told the host last. `undefined`: not known. */
  readonly told: string | undefined;
  /** As the host knows it. It may have added something since. */
  readonly host: string;
}

/**
 * The text for the composer of a new page. Nothing that was typed or added is lost, unless it has arrived as a prompt.
 * `arrived`: the texts that the session has.
 */
export function firstDraft({ own, told, host }: Drafts, arrived: ReadonlySet<string | undefined>): string {
  const isUnsent = (text: string): boolean => text !== '' && !arrived.has(text.trim());
  // The host may have lost the draft, in a crash.
  if (own === '') return [host, told ?? ''].find(isUnsent) ?? '';
  const added = host === told || !isUnsent(host) ? '' : host;
  return isUnsent(own) ? merged({ own, told, host: added }) : added;
}

function merged({ own, told, host }: Drafts): string {
  if (host === '' || own.includes(host)) return own;
  if (host.includes(own)) return host;
  // Not known: the page was the last to change it.
  if (told === undefined) return own;
  if (host.startsWith(told)) return `${own.trimEnd()} ${host.slice(told.length).trimStart()}`;
  if (host.endsWith(told)) return host.slice(0, host.length - told.length) + own;
  return `${host}\n\n${own}`;
}
