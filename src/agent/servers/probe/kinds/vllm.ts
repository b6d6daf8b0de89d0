import * as z from 'zod';
import { bodyOf, loaded, ownedBy, type Fingerprint } from '../serverIdentity';

const Version = z.object({ version: z.string() });

/** vLLM: `max_model_len` in the list; `GET /version`. SGLang lists its models in the same way. */
export const vllm: Fingerprint = {
  isLikely: (entries) => ownedBy('vllm')(entries) || entries.some((entry) => entry.maxModelLength !== undefined),
  async look({ root, entries, get }, isLikely) {
    if (!isLikely) return undefined;
    const models = entries.map(({ id, maxModelLength }) => loaded(id, maxModelLength));
    if (ownedBy('sglang')(entries)) return { kind: 'unknown', name: 'SGLang', models };
    // Others list `max_model_len` too: without vLLM's own mark the window counts, the name does not.
    const isVllm = ownedBy('vllm')(entries) || Version.safeParse(await bodyOf(get, `${root}/version`)).success;
    return isVllm ? { kind: 'vllm', name: 'vLLM', models } : { kind: 'unknown', name: 'OpenAI-compatible', models };
  },
};
