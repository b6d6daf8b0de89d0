import type { LeakCase } from './leakCase';

/** In the mode "accept edits", ordinary files may change without a question; in the sandbox commands may change them too. */
export function isOrdinaryChange({
  mode,
  folders = ['ws'],
}: Pick<LeakCase, 'mode' | 'folders'>): (change: string) => boolean {
  if (mode === 'plan' || mode === 'ask') return () => false;
  const kinds = `created|changed${mode === 'sandbox' ? '|removed' : ''}`;
  const opened = new RegExp(`^(?:${kinds}) ((?:${folders.join('|')})/.*)$`, 's');
  const isOrdinary = (name: string): boolean => !PROTECTED.test(name.normalize('NFKC').toLowerCase());
  return (change) => {
    const [, name = ''] = opened.exec(change) ?? [];
    return name !== '' && isOrdinary(name);
  };
}

const PROTECTED =
  /(^|\/)(\.git(\/|$|ignore|attributes|modules)|\.(vscode|roo|continue|cursor|aws|ssh|mcp\.json|roomodes|(cline|roo)rules)(\/|$)|agents\.md$|\.env|\.npmrc[. ]*$|package\.json$|id_\w+$|secrets\.|service-account[^/]*\.json)|\.(code-workspace|env|key|tfstate|tfvars)(\/|$| )/;
