import { ownerLimitRanges, readLimit, type OwnerLimits } from '../../endpoint/http/limits';
import { isOrigin } from '../../endpoint/http/origins';
import { DEFAULT_PORT, MAX_PORT } from '../../endpoint/http/port';

/** Options of the endpoint. */
export interface ServeOptions {
  readonly port: number;
  /** The token that callers must send. Absent: a random one. */
  readonly token?: string | undefined;
  /** Web pages of these exact origins may send requests, with the token. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The limits that flags set. */
  readonly limits?: Partial<OwnerLimits> | undefined;
}

/** The flags of `serve`. */
export const serveFlags = {
  port: { type: 'string' },
  'max-runs': { type: 'string' },
  'max-run-tokens': { type: 'string' },
  'max-response-tokens': { type: 'string' },
  'allow-origin': { type: 'string', multiple: true },
} as const;

type ServeFlag = keyof typeof serveFlags;
type LimitFlag = Exclude<ServeFlag, 'port' | 'allow-origin'>;
type ServeValues = { readonly [K in Exclude<ServeFlag, 'allow-origin'>]?: string | undefined } & {
  readonly 'allow-origin'?: readonly string[] | undefined;
};

const limitOf: Readonly<Record<LimitFlag, keyof OwnerLimits>> = {
  'max-runs': 'maxRuns',
  'max-run-tokens': 'maxRunTokens',
  'max-response-tokens': 'maxResponseTokens',
};

const MIN_TOKEN_LENGTH = 16;

/** The first given flag of `serve`. */
export function serveFlagIn(values: ServeValues): string | undefined {
  return Object.keys(serveFlags).find((flag) => values[flag as ServeFlag] !== undefined);
}

/** Reads the flags and the token of the environment, or names the problem. */
export function readServeOptions(
  values: ServeValues,
  token: string | undefined,
): ServeOptions | { readonly problem: string } {
  const { port: portText = String(DEFAULT_PORT) } = values;
  const port = wholeNumber(portText);
  if (port === undefined || port > MAX_PORT) {
    return { problem: `--port: "${portText}" is not a port. Give a number from 0 (any free port) to ${MAX_PORT}.` };
  }
  const limits: Partial<Record<keyof OwnerLimits, number>> = {};
  for (const [flag, name] of Object.entries(limitOf)) {
    const text = values[flag as LimitFlag];
    if (text === undefined) continue;
    const limit = readLimit(name, wholeNumber(text));
    const { min, max } = ownerLimitRanges[name];
    if (limit === undefined) return { problem: `--${flag}: "${text}" is not a whole number from ${min} to ${max}.` };
    limits[name] = limit;
  }
  const allowedOrigins = values['allow-origin'];
  const badOrigin = allowedOrigins?.find((origin) => !isOrigin(origin));
  if (badOrigin !== undefined) {
    return { problem: `--allow-origin: "${badOrigin}" is not an exact origin such as app://obsidian.md.` };
  }
  const tokenProblem = token === undefined ? undefined : problemOfToken(token);
  if (tokenProblem !== undefined) return { problem: tokenProblem };
  return {
    port,
    ...(token !== undefined && { token }),
    ...(allowedOrigins && { allowedOrigins }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function problemOfToken(token: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(token)) {
    return 'OPEN_AGENT_TOKEN may only have visible ASCII characters, without spaces.';
  }
  if (token.length >= MIN_TOKEN_LENGTH) return undefined;
  return `OPEN_AGENT_TOKEN is too short: it needs ${MIN_TOKEN_LENGTH} characters. Leave it unset to get a random token.`;
}
