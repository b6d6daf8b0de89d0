import type { AgentSettings } from '../../agent/configuration/agentSettings';
import { contextWindowOf } from '../../agent/servers/model/contextWindow';
import { modelOptionsFor } from '../../agent/servers/model/modelOptions';
import type { FoundServer } from '../../agent/servers/probe/serverProbe';
import type { Sampling } from '../../sdk/model/modelProvider';
import { samplingOf } from '../../sdk/configuration/sampling';

/** A model that other extensions may use. */
export interface OfferedModel {
  /** `server/MODEL` or `profile/ID`; stays the same while the settings do. */
  readonly id: string;
  readonly name: string;
  /** The server's name, or the profile's model. */
  readonly detail: string;
  readonly model: string;
  /** Normalised, ending in `/v1`. */
  readonly baseUrl: string;
  readonly server: FoundServer | undefined;
  readonly sampling: Sampling;
  /** In tokens. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  readonly hasTools: boolean;
  /** The server says that the model takes images. */
  readonly hasVision: boolean;
}

export type OfferSettings = Pick<
  AgentSettings,
  'contextWindow' | 'maxTokens' | 'modelOptions' | 'profiles' | 'temperature'
>;

/** Assumed where neither server nor settings name a window: small models have at least this. */
const SMALLEST_WINDOW = 8_192;
/** Kept free for the answer where no limit is set. */
const ANSWER_TOKENS = 4_096;

/** The models of the server in use, then those of the profiles. */
export function offeredModels(
  settings: OfferSettings,
  server: FoundServer | undefined,
  serverAt: (baseUrl: string) => FoundServer | undefined,
): readonly OfferedModel[] {
  const { temperature, maxTokens, profiles } = settings;
  const ofServer = (server?.models ?? []).map(({ id, hasTools, hasVision }): OfferedModel => ({
    id: `server/${id}`,
    name: id,
    detail: server?.name ?? '',
    model: id,
    baseUrl: server?.baseUrl ?? '',
    server,
    sampling: samplingOf({ temperature, maxTokens }),
    ...sizes(id, settings, server, maxTokens),
    hasTools: hasTools !== false,
    hasVision: hasVision === true,
  }));
  const ofProfiles = profiles.map((profile): OfferedModel => {
    const { id, model, baseUrl } = profile;
    const known = serverAt(baseUrl);
    const listed = known?.models.find(({ id: name }) => name === model);
    return {
      id: `profile/${id}`,
      name: id,
      detail: model,
      model,
      baseUrl,
      server: known,
      sampling: samplingOf(profile),
      ...sizes(model, settings, known, profile.maxTokens ?? null),
      hasTools: listed?.hasTools !== false,
      hasVision: listed?.hasVision === true,
    };
  });
  return [...ofServer, ...ofProfiles];
}

function sizes(
  model: string,
  { contextWindow, modelOptions }: OfferSettings,
  server: FoundServer | undefined,
  maxTokens: number | null,
): Pick<OfferedModel, 'maxInputTokens' | 'maxOutputTokens'> {
  const setting = modelOptionsFor(modelOptions, model).contextWindow ?? contextWindow;
  const window = contextWindowOf(model, { setting, server })?.tokens ?? SMALLEST_WINDOW;
  const maxOutputTokens = Math.min(maxTokens ?? ANSWER_TOKENS, Math.floor(window / 2));
  return { maxInputTokens: window - maxOutputTokens, maxOutputTokens };
}
