import * as z from 'zod';
import { AgentError } from '../errors';
import { normalizeBaseUrl } from '../model/http/endpointUrl';
import { samplingFields } from './sampling';
import { messageOf } from '../../util/errors';
import { describeIssues } from '../../util/zodIssues';

/** How a profile, or whatever overrides one, may say the model is sampled. */
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

/** A named way to use a model: where it is, how it is sampled. Keys are kept elsewhere, by the server they belong to. */
export type LlmProfile = Readonly<z.infer<typeof LlmProfileSchema>>;

/** What an agent definition or a single call says instead. `undefined`: nothing; `null`: do not send it. */
export type ProfileOverrides = {
  readonly [Field in Exclude<keyof LlmProfile, 'id' | 'baseUrl'>]?: LlmProfile[Field] | undefined;
};

/** A profile with its overrides, as options for a client or `query`. */
export type ProfileOptions = Omit<LlmProfile, 'id' | 'systemPrompt'> & { readonly systemPrompt: string };

/** Checks a profile that somebody wrote. Throws an `AgentError` `invalid_options` that names the profile and every wrong field. */
export function parseProfile(value: unknown): LlmProfile {
  return parseNamed('Profile', LlmProfileSchema, value);
}

/** What `schema` makes of `value`. Throws `invalid_options` that names the thing, by `kind` and its id, and every wrong field. */
export function parseNamed<T>(kind: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const id =
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? ` "${value.id}"`
      : '';
  throw new AgentError({ code: 'invalid_options', message: `${kind}${id}: ${describeIssues(parsed.error)}.` });
}

/**
 * A profile with what overrides it, the weakest first: `resolveProfile(profile, definition, call)`. The last that says
 * anything about a field counts; `extraBody` is put together key by key.
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
