import * as z from 'zod';
import { bodyOf, Count, loaded, ownedBy, type Fingerprint, type ServerModel } from '../serverIdentity';

// `GET /api/version`; `GET /api/ps` for loaded models and their windows; `POST /api/show` for a model's abilities and the
// window it would get: from its own file, else the model's maximum.
const Version = z.object({ version: z.string() });
const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: Count })) });
const Shown = z.object({
  parameters: z.string().optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  capabilities: z.array(z.string()).optional().catch(undefined),
});
type Shown = z.infer<typeof Shown>;

const MAX_SHOWN = 12;

export const ollama: Fingerprint = {
  isLikely: ownedBy('library'),
  async look({ root, entries, get }) {
    if (!Version.safeParse(await bodyOf(get, `${root}/api/version`)).success) return undefined;
    const running = Running.safeParse(await bodyOf(get, `${root}/api/ps`)).data;
    if (!running) return { kind: 'ollama', name: 'Ollama', models: entries.map(({ id }) => ({ id })) };
    const windows = new Map(running.models.map((model) => [model.name, model.context_length]));
    const inMemoryFirst = entries.toSorted((a, b) => Number(windows.has(b.id)) - Number(windows.has(a.id)));
    const shown = new Map(
      await Promise.all(
        inMemoryFirst.slice(0, MAX_SHOWN).map(async ({ id }) => {
          const answer = await get(`${root}/api/show`, { model: id });
          return [id, answer.ok ? Shown.safeParse(answer.body).data : undefined] as const;
        }),
      ),
    );
    const models = entries.map(({ id }): ServerModel => {
      const own = shown.get(id);
      const known = windows.has(id) ? loaded(id, windows.get(id)) : { id, isLoaded: false, ...shownWindow(own) };
      return { ...known, ...abilities(own) };
    });
    return { kind: 'ollama', name: 'Ollama', models, canLoad: true };
  },
};

function shownWindow(shown: Shown | undefined): Pick<ServerModel, 'contextWindow' | 'contextSource'> {
  const own = /^num_ctx\s+(\d+)/m.exec(shown?.parameters ?? '')?.[1];
  if (own !== undefined) return { contextWindow: Number(own), contextSource: 'loaded' };
  const info = Object.entries(shown?.model_info ?? {}).find(([key]) => key.endsWith('.context_length'))?.[1];
  const possible = Count.parse(info);
  return possible === undefined ? {} : { contextWindow: possible, contextSource: 'advertised' };
}

function abilities(shown: Shown | undefined): Pick<ServerModel, 'hasVision' | 'hasTools'> {
  const capabilities = shown?.capabilities;
  if (!capabilities) return {};
  return { hasVision: capabilities.includes('vision'), hasTools: capabilities.includes('tools') };
}
