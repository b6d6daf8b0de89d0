import { koboldCpp } from './kinds/koboldCpp';
import { liteLlm } from './kinds/liteLlm';
import { llamaCpp } from './kinds/llamaCpp';
import { llamaSwap } from './kinds/llamaSwap';
import { lmStudio } from './kinds/lmStudio';
import { ollama } from './kinds/ollama';
import { vllm } from './kinds/vllm';
import type { Fingerprint, ModelEntry, Refusal, ServerIdentity, ServerModel, Sight } from './serverIdentity';

/** In the order of trust. */
const FINGERPRINTS: readonly Fingerprint[] = [koboldCpp, llamaSwap, llamaCpp, lmStudio, vllm, ollama, liteLlm];

/**
 * Identifies the kind of server by answers that only this kind gives. When the model list is enough, it sends no other
 * requests.
 */
export async function identifyServer(sight: Sight): Promise<ServerIdentity | Refusal> {
  const likely = FINGERPRINTS.find((fingerprint) => fingerprint.isLikely(sight.entries));
  const known = await likely?.look(sight, true);
  if (known) return known;
  const looks = await Promise.all(FINGERPRINTS.map((fingerprint) => fingerprint.look(sight, false)));
  return looks.find((identity) => identity !== undefined) ?? unknownServer(sight);
}

function unknownServer({ entries }: Sight): ServerIdentity {
  return { kind: 'unknown', name: 'OpenAI-compatible', models: entries.map(listed) };
}

/** What the list alone says. A gateway passes the fields of llama.cpp on: the window and the state of each model. */
function listed({ id, contextLength, loadedContext, status }: ModelEntry): ServerModel {
  const isLoaded = status === undefined ? undefined : LOAD_STATES.get(status.toLowerCase());
  const state = isLoaded !== undefined && { isLoaded };
  // The window of a model that is not loaded may change when it is.
  const source = isLoaded === false ? 'advertised' : 'loaded';
  if (loadedContext !== undefined) return { id, contextWindow: loadedContext, contextSource: source, ...state };
  if (contextLength !== undefined) return { id, contextWindow: contextLength, contextSource: 'advertised', ...state };
  return { id, ...state };
}

/** Other words say nothing about loading: "active", "available". */
const LOAD_STATES: ReadonlyMap<string, boolean> = new Map([
  ['loaded', true],
  ['sleeping', true],
  ['loading', false],
  ['unloaded', false],
  ['failed', false],
]);
