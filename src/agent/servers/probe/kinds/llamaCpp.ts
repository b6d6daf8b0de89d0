import * as z from 'zod';
import { Count, loaded, ownedBy, type Fingerprint, type ModelEntry, type ServerModel } from '../serverIdentity';

const Flag = z.boolean().optional().catch(undefined);

// `GET /props`. A router needs `?model=`, and would load the model without `autoload=false`.
const Props = z.object({
  default_generation_settings: z.object({ n_ctx: Count }),
  total_slots: Count,
  modalities: z.object({ vision: Flag }).optional().catch(undefined),
  chat_template_caps: z.object({ supports_tools: Flag }).optional().catch(undefined),
});
/** What llama-server tells of its model. */
export type Props = z.infer<typeof Props>;

const MAX_ROUTED_LOOKS = 4;

/** llama-server, with one model or as a router of several. */
export const llamaCpp: Fingerprint = {
  isLikely: ownedBy('llamacpp'),
  async look({ root, entries, get }, isLikely) {
    const answer = await get(`${root}/props`);
    // The model list needs no key even on a server with a key. This address and chats do.
    if (isLikely && !answer.ok && answer.error.code === 'unauthorized') return { error: answer.error };
    const props = answer.ok ? Props.safeParse(answer.body).data : undefined;
    if (!props && !isLikely) return undefined;
    const name = 'llama.cpp';
    if (!entries.some((entry) => entry.status !== undefined)) {
      const models = entries.map((entry) => loadedModel(entry, props));
      return { kind: 'llama.cpp', name, models, slots: props?.total_slots };
    }
    const running = entries.filter((entry) => entry.status === 'loaded').slice(0, MAX_ROUTED_LOOKS);
    const routed = new Map(
      await Promise.all(
        running.map(async ({ id }) => {
          const own = await get(`${root}/props?model=${encodeURIComponent(id)}&autoload=false`);
          return [id, own.ok ? Props.safeParse(own.body).data : undefined] as const;
        }),
      ),
    );
    const slots = [...routed.values()].map((own) => own?.total_slots).find((count) => count !== undefined);
    const models = entries.map((entry) =>
      entry.status === 'loaded'
        ? loadedModel(entry, routed.get(entry.id))
        : { id: entry.id, isLoaded: false, ...visionOf(entry, undefined) },
    );
    return { kind: 'llama.cpp', name, models, slots, canLoad: true };
  },
};

/** The answer of `GET /props`; `undefined` if it is of another server. */
export function parseProps(body: unknown): Props | undefined {
  return Props.safeParse(body).data;
}

/** A loaded model, with what its server tells of it. */
export function loadedModel(entry: ModelEntry, props: Props | undefined): ServerModel {
  const hasTools = props?.chat_template_caps?.supports_tools;
  return {
    ...loaded(entry.id, props?.default_generation_settings.n_ctx ?? entry.loadedContext),
    ...visionOf(entry, props),
    ...(hasTools !== undefined && { hasTools }),
  };
}

function visionOf({ inputModalities }: ModelEntry, props: Props | undefined): Pick<ServerModel, 'hasVision'> {
  const hasVision = props?.modalities?.vision ?? inputModalities?.includes('image');
  return hasVision === undefined ? {} : { hasVision };
}
