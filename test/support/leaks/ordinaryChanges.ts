import type { LeakCase } from './leakCase';

/** In the mode "accept edits", ordinary files may change without a question. */
export function isOrdinaryChange({ mode }: Pick<LeakCase, 'mode'>): (change: string) => boolean {
  if (mode !== 'acceptEdits') return () => false;
  const isOrdinary = (name: string): boolean => !PROTECTED.test(name.normalize('NFKC').toLowerCase());
  return (change) => {
    const [, name = ''] = /^(?:created|changed) ws\/(.*)$/s.exec(change) ?? [];
    return name !== '' && isOrdinary(name);
  };
}

const PROTECTED =
  /(^|\/)(\.git(\/|$|ignore|attributes|modules)|\.env|\.npmrc[. ]*$|package\.json$|id_\w+$|secrets\.|service-account)|\.(env|key|tfstate|tfvars)(\/|$| )/;
