import * as z from 'zod';
import { bodyOf, loaded, ownedBy, type Fingerprint } from '../serverIdentity';

const Version = z.object({ version: z.string() });

/** vLLM: `max_model_len` in the list; `GET /version`. SGLang has the same list. */
export const vllm: Fingerprint = {
  isLikely: (entries) => ownedBy('vllm')(entries) || entries.some((entry) => entry.maxModelLength !== undefined),
  async look({ root, entries, get }, isLikely) {
    if (!isLikely) return undefined;
    const models = entries.map(({ id, maxModelLength }) => loaded(id, maxModelLength));
    if (ownedBy('sglang')(entries)) return { kind: 'unknown', name: 'SGLang', models };
    // Other servers have `max_model_len`, too. Without vLLM's own mark only the window is used, not the name.
    const isVllm = ownedBy('vllm')(entries) || Version.safeParse(await bodyOf(get, `${root}/version`)).success;
    return isVllm ? { kind: 'vllm', name: 'vLLM', models } : { kind: 'unknown', name: 'OpenAI-compatible', models };
  },
};
