import { koboldCpp } from './kinds/koboldCpp';
import { llamaCpp } from './kinds/llamaCpp';
import { lmStudio } from './kinds/lmStudio';
import { ollama } from './kinds/ollama';
import { vllm } from './kinds/vllm';
import type { Fingerprint, ModelEntry, Refusal, ServerIdentity, ServerModel, Sight } from './serverIdentity';

/** In the order of trust. */
const FINGERPRINTS: readonly Fingerprint[] = [koboldCpp, llamaCpp, lmStudio, vllm, ollama];

/** Identifies the kind of server by answers that only this kind gives. When the model list is enough, it sends no other requests. */
export async function identifyServer(sight: Sight): Promise<ServerIdentity | Refusal> {
  const likely = FINGERPRINTS.find((fingerprint) => fingerprint.isLikely(sight.entries));
  const known = await likely?.look(sight, true);
  if (known) return known;
  const looks = await Promise.all(FINGERPRINTS.map((fingerprint) => fingerprint.look(sight, false)));
  return looks.find((identity) => identity !== undefined) ?? unknownServer(sight);
}

function unknownServer({ entries }: Sight): ServerIdentity {
  return { kind: 'unknown', name: 'OpenAI-compatible', models: entries.map(advertised) };
}

function advertised({ id, contextLength }: ModelEntry): ServerModel {
  return contextLength === undefined ? { id } : { id, contextWindow: contextLength, contextSource: 'advertised' };
}
