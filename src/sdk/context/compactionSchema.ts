import * as z from 'zod';
import { once } from '../../util/lazy';
import type { CountTokens } from './compactionOptions';

/** See `CompactionOptions.keep`. */
export const DEFAULT_KEEP = 0.25;

/** The schema of `CompactionOptions`, which says what each field means. */
export const compactionSchema = once(() =>
  z.strictObject({
    contextWindow: z
      .union([z.int().min(512), z.custom<() => number | undefined>((value) => typeof value === 'function')])
      .optional(),
    countTokens: z.custom<CountTokens>((value) => typeof value === 'function').optional(),
    threshold: z.number().min(0.3).max(0.95).default(0.75),
    keep: z.number().min(0).max(0.5).default(DEFAULT_KEEP),
    instruction: z.string().min(1).optional(),
    windowAdvice: z.custom<(tokens: number) => string>((value) => typeof value === 'function').optional(),
    onSmallerWindow: z.custom<(tokens: number) => void>((value) => typeof value === 'function').optional(),
  }),
);

/** The options with every default filled in. */
export type ResolvedCompaction = z.output<ReturnType<typeof compactionSchema>>;
