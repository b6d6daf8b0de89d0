import * as z from 'zod';
import { Count, loaded, ownedBy, type Fingerprint } from '../serverIdentity';

// Source: its API documentation, `GET /api/extra/version` and `/api/extra/true_max_context_length`.
const Version = z.object({ result: z.literal('KoboldCpp') });
const Window = z.object({ value: Count });

/** Must come before llama.cpp and Ollama: it answers at their addresses, too. */
export const koboldCpp: Fingerprint = {
  isLikely: ownedBy('koboldcpp'),
  async look({ root, entries, get }) {
    const version = await get(`${root}/api/extra/version`);
    if (!version.ok || !Version.safeParse(version.body).success) return undefined;
    const answer = await get(`${root}/api/extra/true_max_context_length`);
    const window = answer.ok ? Window.safeParse(answer.body).data?.value : undefined;
    return { kind: 'koboldcpp', name: 'KoboldCpp', models: entries.map(({ id }) => loaded(id, window)) };
  },
};
