import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../util/json';
import { once } from '../../util/lazy';
import type { Sampling } from '../model/modelProvider';
import type { SamplingOptions } from './samplingOptions';

/** Body fields that the client itself sets. */
const reservedKeys = ['model', 'messages', 'tools', 'stream', 'stream_options', 'response_format'];

/** The schemas of `SamplingOptions`, which says what each field means. */
export const samplingFields = once(() => ({
  temperature: z.number().min(0).nullable(),
  topP: z.number().min(0).max(1).nullable(),
  topK: z.int().min(0).nullable(),
  maxTokens: z.int().min(1).nullable(),
  reasoningEffort: z.string().min(1).nullable(),
  thinking: z.boolean().nullable(),
  extraBody: z
    .custom<JsonObject>(isJsonObject, 'expected an object')
    .refine((body) => reservedKeys.every((key) => !(key in body)), {
      error: `may not hold ${reservedKeys.join(', ')}: these are the client's own`,
    })
    .nullable(),
}));

/** The fields of `SamplingOptions`, each of which may be left out. */
export const optionalSampling = once(() => {
  const fields = samplingFields();
  return {
    temperature: fields.temperature.optional(),
    topP: fields.topP.optional(),
    topK: fields.topK.optional(),
    maxTokens: fields.maxTokens.optional(),
    reasoningEffort: fields.reasoningEffort.optional(),
    thinking: fields.thinking.optional(),
    extraBody: fields.extraBody.optional(),
  };
});

/** The fields that are set. */
export function samplingOf(options: SamplingOptions): Sampling {
  const { temperature, topP, topK, maxTokens, reasoningEffort, thinking, extraBody } = options;
  const set = Object.entries({ topP, topK, reasoningEffort, thinking, extraBody }).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return { temperature, maxTokens, ...Object.fromEntries(set) };
}
