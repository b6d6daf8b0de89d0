import * as z from 'zod';
import { defaultOwnerLimits, ownerLimitRanges, type OwnerLimits } from './http/limits';
import { isOrigin } from './http/origins';
import { DEFAULT_PORT, MAX_PORT } from './http/port';

/** The settings of a workspace's endpoint. */
export interface OwnerSettings {
  /** 0: any free port. */
  readonly port: number;
  readonly limits: OwnerLimits;
  /** A question waits this long for the owner. Then the call is denied. */
  readonly questionMs: number;
  /** Exact origins whose pages may use the endpoint, with the token. */
  readonly allowedOrigins: readonly string[];
}

const MINUTE_MS = 60_000;
const MAX_QUESTION_MINUTES = 24 * 60;
export const DEFAULT_QUESTION_MS = 10 * MINUTE_MS;

export type ParsedOwnerSettings =
  { readonly ok: true; readonly settings: OwnerSettings } | { readonly ok: false; readonly problem: string };

/**
 * Parses settings by their names without prefix. Absent ones get defaults. A wrong value is a problem: the agent is not
 * served in another way than the owner wanted.
 */
export function parseOwnerSettings(raw: Readonly<Record<string, unknown>>): ParsedOwnerSettings {
  const problems: string[] = [];
  const read = (name: string, { min, max }: { readonly min: number; readonly max: number }): number | undefined => {
    const value = raw[name] ?? undefined;
    if (value === undefined) return undefined;
    const parsed = z.int().min(min).max(max).safeParse(value);
    if (!parsed.success) problems.push(`openAgent.endpoint.${name} must be a whole number from ${min} to ${max}.`);
    return parsed.data;
  };
  const { maxRuns, maxRunTokens, maxResponseTokens } = ownerLimitRanges;
  const responseTokens = read('maxResponseTokens', maxResponseTokens);
  const minutes = read('questionMinutes', { min: 1, max: MAX_QUESTION_MINUTES });
  const origins = z.array(z.string().refine(isOrigin)).safeParse(raw['allowedOrigins'] ?? []);
  if (!origins.success) {
    problems.push(
      'openAgent.endpoint.allowedOrigins must be a list of exact origins, such as "app://obsidian.md". "*" and "null" are none.',
    );
  }
  const settings: OwnerSettings = {
    port: read('port', { min: 0, max: MAX_PORT }) ?? DEFAULT_PORT,
    limits: {
      maxRuns: read('maxRuns', maxRuns) ?? defaultOwnerLimits.maxRuns,
      maxRunTokens: read('maxRunTokens', maxRunTokens) ?? defaultOwnerLimits.maxRunTokens,
      ...(responseTokens !== undefined && { maxResponseTokens: responseTokens }),
    },
    questionMs: minutes === undefined ? DEFAULT_QUESTION_MS : minutes * MINUTE_MS,
    allowedOrigins: origins.data ?? [],
  };
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problem: problems.join(' ') };
}
