import * as z from 'zod';
import { bodyOf, ownedBy, type Fingerprint } from '../serverIdentity';
import { loadedModel, parseProps } from './llamaCpp';

// Source: its README. `GET /running` lists the models in memory. `/upstream/MODEL/…` reaches a model's own server, and loads
// the model first.
const Running = z.object({ running: z.array(z.object({ model: z.string(), state: z.string() })) });

const MAX_LOOKS = 4;

/** llama-swap, which starts and stops a server for each model. It also answers at an address of Ollama. */
export const llamaSwap: Fingerprint = {
  isLikely: ownedBy('llama-swap'),
  async look({ root, entries, get }, isLikely) {
    if (!isLikely) return undefined;
    const running = Running.safeParse(await bodyOf(get, `${root}/running`)).data?.running ?? [];
    const ready = running.filter(({ state }) => state === 'ready').map(({ model }) => model);
    const looks = await Promise.all(
      ready.slice(0, MAX_LOOKS).map(async (id) => {
        const props = parseProps(await bodyOf(get, `${root}/upstream/${encodeURIComponent(id)}/props`));
        return [id, props] as const;
      }),
    );
    const props = new Map(looks);
    const models = entries.map((entry) => {
      const { id, contextLength } = entry;
      if (ready.includes(id)) return loadedModel({ ...entry, loadedContext: contextLength }, props.get(id));
      const window =
        contextLength === undefined ? {} : { contextWindow: contextLength, contextSource: 'loaded' as const };
      return { id, isLoaded: false, ...window };
    });
    const slots = [...props.values()].map((own) => own?.total_slots).find((count) => count !== undefined);
    return { kind: 'llama-swap', name: 'llama-swap', models, slots, canLoad: true };
  },
};
