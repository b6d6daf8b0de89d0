/** The limits that the owner of the agent can set. */
export interface OwnerLimits {
  /** The most runs at once, with those that wait for the model. Further requests get 429. */
  readonly maxRuns: number;
  /** The most tokens the model may write in one run, over all steps. */
  readonly maxRunTokens: number;
  /** The most tokens of one response. Absent: only the caller and the settings set a limit. */
  readonly maxResponseTokens?: number | undefined;
}

export const defaultOwnerLimits: OwnerLimits = { maxRuns: 16, maxRunTokens: 100_000 };

/** The range of each limit. */
export const ownerLimitRanges = {
  maxRuns: { min: 1, max: 256 },
  maxRunTokens: { min: 1, max: 100_000_000 },
  maxResponseTokens: { min: 1, max: 1_000_000 },
} as const satisfies Record<keyof OwnerLimits, { readonly min: number; readonly max: number }>;

/** A whole number in the range of a limit; `undefined` for anything else. */
export function readLimit(name: keyof OwnerLimits, value: unknown): number | undefined {
  const { min, max } = ownerLimitRanges[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max ? value : undefined;
}

export interface EndpointLimits extends OwnerLimits {
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  /** Time for all headers of a request to arrive; `requestMs`: for the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often those two are checked. */
  readonly checkMs: number;
  /** How long a client may read nothing of its answer. */
  readonly idleMs: number;
  /** A silent stream gets a comment after this long. */
  readonly silenceMs: number;
  /** Small pieces of an answer are joined for this long. */
  readonly joinMs: number;
}

export const defaultLimits: EndpointLimits = {
  ...defaultOwnerLimits,
  // The largest image as base64, with a conversation.
  maxBodyBytes: 32_000_000,
  maxConnections: 256,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  idleMs: 60_000,
  silenceMs: 10_000,
  joinMs: 40,
};
