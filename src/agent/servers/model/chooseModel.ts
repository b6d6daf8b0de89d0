import * as l10n from '../../../util/l10n';
import type { AgentErrorInfo } from '../../../sdk/errors';
import type { ServerKind, ServerModel } from '../probe/serverIdentity';
import type { FoundServer } from '../probe/serverProbe';

export type ModelChoice =
  { readonly ok: true; readonly model: string } | { readonly ok: false; readonly error: AgentErrorInfo };

/**
 * Chooses the model. A set model is used even if the server does not list it: it may know other names, and rejects unknown
 * ones itself. Otherwise the first listed; loaded models win, embedding models come last.
 */
export function chooseModel(server: FoundServer, wanted: string): ModelChoice {
  if (wanted !== '') return { ok: true, model: wanted };
  const chats = server.models.filter((model) => !EMBEDDING.test(model.id));
  const candidates: readonly ServerModel[] = chats.length > 0 ? chats : server.models;
  const chosen = candidates.find((model) => model.isLoaded === true) ?? candidates[0];
  return chosen ? { ok: true, model: chosen.id } : { ok: false, error: noModelsError(server) };
}

/** The error for a server without models. */
export function noModelsError({ name, kind, baseUrl }: FoundServer): AgentErrorInfo {
  return { code: 'not_found', message: `${l10n.t('{0} at {1} has no model.', name, baseUrl)} ${remedy(kind)}` };
}

/** The list has no purpose of a model, but most embedding models have it in their names. */
const EMBEDDING = /embed|rerank|(^|[/:_-])bge-/i;

function remedy(kind: ServerKind): string {
  switch (kind) {
    case 'ollama':
      return l10n.t('Get one with "ollama pull qwen2.5-coder:7b", for example.');
    case 'lmstudio':
      return l10n.t('Download a model in LM Studio and load it.');
    case 'llama.cpp':
      return l10n.t('Start llama-server with a model: "llama-server -m model.gguf --jinja".');
    case 'llama-swap':
      return l10n.t('Name one in the "models" of its configuration file.');
    case 'litellm':
      return l10n.t('Name one in the "model_list" of its configuration file.');
    case 'koboldcpp':
    case 'vllm':
    case 'unknown':
      return l10n.t('Load a model there and try again.');
    default:
      return kind satisfies never;
  }
}
