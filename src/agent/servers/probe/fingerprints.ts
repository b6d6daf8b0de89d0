import { koboldCpp } from './kinds/koboldCpp';
import { llamaCpp } from './kinds/llamaCpp';
import { lmStudio } from './kinds/lmStudio';
import { ollama } from './kinds/ollama';
import { vllm } from './kinds/vllm';
import type { Fingerprint, ModelEntry, Refusal, ServerIdentity, ServerModel, Sight } from './serverIdentity';

/** In the order in which they are believed. */
const FINGERPRINTS: readonly Fingerprint[] = [koboldCpp, llamaCpp, lmStudio, vllm, ollama];

/**
 * What kind of server it is, by what only that kind answers. Where the model list already gives it away, no other
 * server's addresses are tried.
 */
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
