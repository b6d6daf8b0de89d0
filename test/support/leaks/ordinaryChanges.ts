import type { LeakCase } from './leakCase';

/** In the mode "accept edits", ordinary files may change without a question; in the sandbox commands may change them too. */
export function isOrdinaryChange({ mode }: Pick<LeakCase, 'mode'>): (change: string) => boolean {
  if (mode === 'plan' || mode === 'ask') return () => false;
  const kinds = mode === 'sandbox' ? /^(?:created|changed|removed) ws\/(.*)$/s : /^(?:created|changed) ws\/(.*)$/s;
  const isOrdinary = (name: string): boolean => !PROTECTED.test(name.normalize('NFKC').toLowerCase());
  return (change) => {
    const [, name = ''] = kinds.exec(change) ?? [];
    return name !== '' && isOrdinary(name);
  };
}

const PROTECTED =
  /(^|\/)(\.git(\/|$|ignore|attributes|modules)|\.env|\.npmrc[. ]*$|package\.json$|id_\w+$|secrets\.|service-account)|\.(env|key|tfstate|tfvars)(\/|$| )/;
