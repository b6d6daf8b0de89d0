import * as z from 'zod';
import { bodyOf, Count, type Fingerprint, type ServerModel } from '../serverIdentity';

// `GET /model/info` lists each server of each model, as the configuration file names them. Source: its API documentation.
const Deployment = z.object({
  model_name: z.string(),
  litellm_params: z.object({ max_parallel_requests: Count }).optional().catch(undefined),
  model_info: z
    .object({
      max_input_tokens: Count,
      supports_vision: z.boolean().nullish().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
const Deployments = z.object({ data: z.array(z.unknown()) });

/** Every model in its list was created at this second. */
const CREATED = 1_677_610_602;

/** LiteLLM, a gateway that shares the load among the servers of a model. */
export const liteLlm: Fingerprint = {
  isLikely: (entries) => entries.length > 0 && entries.every(({ created }) => created === CREATED),
  async look({ root, entries, get }, isLikely) {
    if (!isLikely) return undefined;
    const list = Deployments.safeParse(await bodyOf(get, `${root}/model/info`)).data?.data;
    if (!list) return undefined;
    const deployments = list.flatMap((item) => Deployment.safeParse(item).data ?? []);
    const models = entries.map(({ id }): ServerModel => {
      const own = deployments.filter(({ model_name }) => model_name === id);
      return { id, ...smallestWindow(own), ...visionOf(own) };
    });
    const counts = entries.map(({ id }) => slotsOf(deployments.filter(({ model_name }) => model_name === id)));
    const slots = Math.max(0, ...counts);
    return { kind: 'litellm', name: 'LiteLLM', models, ...(slots > 0 && { slots }) };
  },
};
type Deployment = z.infer<typeof Deployment>;

/** A request may go to any of the servers. */
function smallestWindow(deployments: readonly Deployment[]): Pick<ServerModel, 'contextWindow' | 'contextSource'> {
  const windows = deployments.flatMap(({ model_info }) => model_info?.max_input_tokens ?? []);
  return windows.length === 0 ? {} : { contextWindow: Math.min(...windows), contextSource: 'advertised' };
}

function visionOf(deployments: readonly Deployment[]): Pick<ServerModel, 'hasVision'> {
  const said = deployments.map(({ model_info }) => model_info?.supports_vision);
  if (said.length === 0 || said.includes(undefined) || said.includes(null)) return {};
  return { hasVision: said.every((sees) => sees === true) };
}

/** One request for each server, or as many as the configuration allows it. */
function slotsOf(deployments: readonly Deployment[]): number {
  return deployments.reduce((sum, { litellm_params }) => sum + (litellm_params?.max_parallel_requests ?? 1), 0);
}
