import * as z from 'zod';
import { Count, loaded, ownedBy, type Fingerprint, type ServerModel } from '../serverIdentity';

// `GET /api/v1/models`, since 0.4. One model may be loaded several times. `/api/v1/models/load` exists, too.
const Models = z.object({
  models: z.array(
    z.object({
      key: z.string(),
      type: z.string().optional(),
      max_context_length: Count,
      loaded_instances: z.array(
        z.object({ id: z.string(), config: z.object({ context_length: Count }).optional().catch(undefined) }),
      ),
      capabilities: z
        .object({ vision: z.boolean().optional(), trained_for_tool_use: z.boolean().optional() })
        .optional()
        .catch(undefined),
    }),
  ),
});

// `GET /api/v0/models`, since 0.3.6. It answers unknown addresses with 200 and an error object.
const OlderModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      state: z.enum(['loaded', 'not-loaded']),
      loaded_context_length: Count,
      max_context_length: Count,
      capabilities: z.array(z.string()).optional().catch(undefined),
    }),
  ),
});

export const lmStudio: Fingerprint = {
  isLikely: (entries) => ['organization_owner', 'organization-owner'].some((owner) => ownedBy(owner)(entries)),
  async look({ root, get }) {
    const [newer, older] = await Promise.all([get(`${root}/api/v1/models`), get(`${root}/api/v0/models`)]);
    const list = newer.ok ? Models.safeParse(newer.body).data : undefined;
    if (list) return { kind: 'lmstudio', name: 'LM Studio', models: modelsOf(list), canLoad: true };
    const olderList = older.ok ? OlderModels.safeParse(older.body).data : undefined;
    if (olderList) return { kind: 'lmstudio', name: 'LM Studio', models: olderModelsOf(olderList) };
    return undefined;
  },
};

/** The ids of a model's loaded instances; `undefined`: another server. */
export function loadedInstances(body: unknown, model: string): readonly string[] | undefined {
  const found = Models.safeParse(body).data?.models.find(
    ({ key, loaded_instances }) => key === model || loaded_instances.some(({ id }) => id === model),
  );
  return found?.loaded_instances.map(({ id }) => id);
}

function modelsOf({ models }: z.infer<typeof Models>): readonly ServerModel[] {
  return models
    .filter(({ type }) => !isEmbedding(type))
    .map(({ key, loaded_instances: instances, max_context_length: possible, capabilities }): ServerModel => {
      const instance = instances.find(({ id }) => id === key) ?? instances[0];
      return {
        ...windowOf(key, instance !== undefined, instance?.config?.context_length, possible),
        ...(capabilities?.vision !== undefined && { hasVision: capabilities.vision }),
        ...(capabilities?.trained_for_tool_use !== undefined && { hasTools: capabilities.trained_for_tool_use }),
      };
    });
}

function olderModelsOf({ data }: z.infer<typeof OlderModels>): readonly ServerModel[] {
  return data
    .filter(({ type }) => !isEmbedding(type))
    .map(({ id, type, state, loaded_context_length, max_context_length, capabilities }): ServerModel => ({
      ...windowOf(id, state === 'loaded', loaded_context_length, max_context_length),
      ...(type !== undefined && { hasVision: type === 'vlm' }),
      ...(capabilities !== undefined && { hasTools: capabilities.includes('tool_use') }),
    }));
}

function windowOf(id: string, isLoaded: boolean, loadedTokens: number | undefined, possible: number | undefined) {
  if (isLoaded && loadedTokens !== undefined) return loaded(id, loadedTokens);
  if (possible === undefined) return { id, isLoaded };
  return { id, contextWindow: possible, contextSource: 'advertised' as const, isLoaded };
}

/** `embeddings` in the older list, `embedding` in the newer. */
function isEmbedding(type: string | undefined): boolean {
  return type?.startsWith('embedding') === true;
}
