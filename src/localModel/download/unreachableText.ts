import { messageOf } from '../../util/errors';

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name was not found. Is this machine online?',
  EAI_AGAIN: 'its name was not found. Is this machine online?',
  ENETUNREACH: 'there is no way to it. Is this machine online?',
  EHOSTUNREACH: 'there is no way to it. Is this machine online?',
  ECONNREFUSED: 'it refuses the connection.',
  ECONNRESET: 'it broke the connection.',
  ETIMEDOUT: 'it does not answer.',
};

/** Why a host was not reached, as a sentence for people. `error`: what `fetch` rejected with. */
export function unreachableText(host: string, error: unknown): string {
  const known = reasons[codeOf(error)];
  if (known !== undefined) return `${host} cannot be reached: ${known}`;
  return `${host} cannot be reached: ${messageOf(error).replace(/\.?$/, '.')}`;
}

/** The system's code, which a failed `fetch` holds in its cause. */
function codeOf(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && Object.hasOwn(reasons, current.code))
      return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return '';
}
