import * as l10n from '../../util/l10n';
import { messageOf } from '../../util/errors';

const codes: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
]);

/** Why a host was not reached, as a sentence for people. `error`: what `fetch` rejected with. */
export function unreachableText(host: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return l10n.t('{0} cannot be reached: its name was not found. Is this machine online?', host);
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return l10n.t('{0} cannot be reached: there is no way to it. Is this machine online?', host);
    case 'ECONNREFUSED':
      return l10n.t('{0} cannot be reached: it refuses the connection.', host);
    case 'ECONNRESET':
      return l10n.t('{0} cannot be reached: it broke the connection.', host);
    case 'ETIMEDOUT':
      return l10n.t('{0} cannot be reached: it does not answer.', host);
    default:
      return l10n.t('{0} cannot be reached: {1}', host, messageOf(error).replace(/\.?$/, '.'));
  }
}

/** The system's code, which a failed `fetch` holds in its cause. */
function codeOf(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && codes.has(current.code)) return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return '';
}
