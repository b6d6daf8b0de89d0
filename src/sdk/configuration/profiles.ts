import type { SamplingOptions } from './samplingOptions';
import { parseNamed } from './parseNamed';
import { llmProfileSchema } from './profileSchema';

/** A named model with its server and sampling. Keys are kept elsewhere, by server. */
export interface LlmProfile extends SamplingOptions {
  readonly id: string;
  /** URL of the server, with or without `/v1`. */
  readonly baseUrl: string;
  /** The server's name of the model. */
  readonly model: string;
  readonly systemPrompt?: string | undefined;
}

/** Overrides by an agent definition or a single call. `undefined`: no override · `null`: do not send the field. */
export type ProfileOverrides = {
  readonly [Field in Exclude<keyof LlmProfile, 'id' | 'baseUrl'>]?: LlmProfile[Field] | undefined;
};

/** A profile with its overrides, as options for a client or `query`. */
export type ProfileOptions = Omit<LlmProfile, 'id' | 'systemPrompt'> & { readonly systemPrompt: string };

/** Checks a profile. Throws `invalid_options` that names the profile and every wrong field. */
export function parseProfile(value: unknown): LlmProfile {
  return parseNamed('Profile', llmProfileSchema(), value);
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
