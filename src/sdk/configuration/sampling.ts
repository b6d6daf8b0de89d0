import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../util/json';
import type { Sampling } from '../model/modelProvider';

/** Body fields that the client itself sets. */
const reservedKeys = ['model', 'messages', 'tools', 'stream', 'stream_options', 'response_format'];

/** Sampling of the model. `null` and absent: not sent, the server decides. */
export const samplingFields = {
  temperature: z.number().min(0).nullable(),
  topP: z.number().min(0).max(1).nullable(),
  topK: z.int().min(0).nullable(),
  maxTokens: z.int().min(1).nullable(),
  /** `low`, `medium`, `high`, or another value that the server knows. */
  reasoningEffort: z.string().min(1).nullable(),
  /** Whether the model should think before it answers, for templates with `enable_thinking`. */
  thinking: z.boolean().nullable(),
  /** Extra fields of the body, such as `min_p` or `chat_template_kwargs`. */
  extraBody: z
    .custom<JsonObject>(isJsonObject, 'expected an object')
    .refine((body) => reservedKeys.every((key) => !(key in body)), {
      error: `may not hold ${reservedKeys.join(', ')}: these are the client's own`,
    })
    .nullable(),
} as const;

type SamplingOptions = {
  readonly [K in keyof typeof samplingFields]?: z.infer<(typeof samplingFields)[K]> | undefined;
};

/** The fields that are set. */
export function samplingOf(options: SamplingOptions): Sampling {
  const { temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody } = options;
  const set = Object.entries({ topP, topK, reasoningEffort, thinking, extraBody }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { temperature, maxTokens, ...Object.fromEntries(set) };
}
