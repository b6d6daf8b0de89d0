import * as z from 'zod';

/** What whoever serves the agent may set. */
export interface OwnerLimits {
  /** Runs at once, those that wait for the model included; more are answered with 429. */
  readonly maxRuns: number;
  /** Most tokens the model may write in one run, all steps together. */
  readonly maxRunTokens: number;
  /** Most tokens of one of its responses. Absent: what the caller and the settings say. */
  readonly maxResponseTokens?: number | undefined;
}

export const defaultOwnerLimits: OwnerLimits = { maxRuns: 16, maxRunTokens: 100_000 };

/** What each of them may be. */
export const ownerLimitRanges = {
  maxRuns: { min: 1, max: 256 },
  maxRunTokens: { min: 1, max: 100_000_000 },
  maxResponseTokens: { min: 1, max: 1_000_000 },
} as const satisfies Record<keyof OwnerLimits, { readonly min: number; readonly max: number }>;

/** A whole number in the range of a limit; `undefined` for anything else. */
export function readLimit(name: keyof OwnerLimits, value: unknown): number | undefined {
  const { min, max } = ownerLimitRanges[name];
  return z.int().min(min).max(max).safeParse(value).data;
}

export interface EndpointLimits extends OwnerLimits {
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  /** For all headers of a request, and for all of a request, to arrive. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often those two are looked at. */
  readonly checkMs: number;
  /** How long a client may leave its answer unread. */
  readonly idleMs: number;
  /** How long a stream may be silent before a comment says that it lives. */
  readonly silenceMs: number;
  /** For how long small pieces of an answer are joined. */
  readonly joinMs: number;
}

export const defaultLimits: EndpointLimits = {
  ...defaultOwnerLimits,
  maxBodyBytes: 4_000_000,
  maxConnections: 256,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  idleMs: 60_000,
  silenceMs: 10_000,
  joinMs: 40,
};
