import * as z from 'zod';
import { AgentError } from '../errors';
import { normalizeBaseUrl } from '../model/http/baseUrl';
import { samplingFields } from './sampling';
import { messageOf } from '../../util/errors';
import { describeIssues } from '../../util/zodIssues';

/** Sampling fields of profiles and their overrides. */
export const optionalSampling = {
  temperature: samplingFields.temperature.optional(),
  topP: samplingFields.topP.optional(),
  topK: samplingFields.topK.optional(),
  maxTokens: samplingFields.maxTokens.optional(),
  reasoningEffort: samplingFields.reasoningEffort.optional(),
  thinking: samplingFields.thinking.optional(),
  extraBody: samplingFields.extraBody.optional(),
};

const LlmProfileSchema = z.strictObject({
  id: z.string().min(1),
  baseUrl: z.string().superRefine((baseUrl, context) => {
    try {
      normalizeBaseUrl(baseUrl);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
    }
  }),
  model: z.string().min(1),
  systemPrompt: z.string().optional(),
  ...optionalSampling,
});

/** A named model with its server and sampling. Keys are kept elsewhere, by server. */
export type LlmProfile = Readonly<z.infer<typeof LlmProfileSchema>>;

/** Overrides by an agent definition or a single call. `undefined`: no override · `null`: do not send the field. */
export type ProfileOverrides = {
  readonly [Field in Exclude<keyof LlmProfile, 'id' | 'baseUrl'>]?: LlmProfile[Field] | undefined;
};

/** A profile with its overrides, as options for a client or `query`. */
export type ProfileOptions = Omit<LlmProfile, 'id' | 'systemPrompt'> & { readonly systemPrompt: string };

/** Checks a profile. Throws `invalid_options` that names the profile and every wrong field. */
export function parseProfile(value: unknown): LlmProfile {
  return parseNamed('Profile', LlmProfileSchema, value);
}

/**
 * Parses `value` with `schema`. Throws `invalid_options` that names the thing, by `kind` and id, and every wrong
 * field.
 */
export function parseNamed<T>(kind: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const id =
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? ` "${value.id}"`
      : '';
  const message = `${kind}${id}: ${describeIssues(parsed.error)}.`;
  throw new AgentError({ code: 'invalid_options', message }, { cause: parsed.error });
}

/**
 * A profile with its overrides, the weakest first: `resolveProfile(profile, definition, call)`. The last value of a
 * field wins; `extraBody` is merged by key.
 */
export function resolveProfile(
  profile: LlmProfile,
  ...overrides: readonly (ProfileOverrides | undefined)[]
): ProfileOptions {
  const { id: _id, systemPrompt = '', ...fields } = profile;
  let options: ProfileOptions = { ...fields, systemPrompt };
  for (const override of overrides) {
    if (!override) continue;
    const extraBody = mergeBodies(options.extraBody, override.extraBody);
    const said = Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined));
    options = { ...options, ...said, ...(extraBody !== undefined && { extraBody }) };
  }
  return options;
}

function mergeBodies(below: LlmProfile['extraBody'], above: LlmProfile['extraBody']): LlmProfile['extraBody'] {
  return below && above ? { ...below, ...above } : above === undefined ? below : above;
}
