import { isJsonObject } from '../../util/json';
import type { ImportItem, ImportPlace } from './importItem';
import { fieldOf, modelItem, withLostHeaders } from './modelItem';
import { readForeignJson } from './readForeign';

/** By the word of Cline: where it keeps address, key and model. The model's field has `actMode` or `planMode` before it. */
const fields: Readonly<Record<string, { readonly baseUrl: string; readonly key: string; readonly model: string }>> = {
  openai: { baseUrl: 'openAiBaseUrl', key: 'openAiApiKey', model: 'OpenAiModelId' },
  ollama: { baseUrl: 'ollamaBaseUrl', key: 'ollamaApiKey', model: 'OllamaModelId' },
  lmstudio: { baseUrl: 'lmStudioBaseUrl', key: '', model: 'LmStudioModelId' },
  litellm: { baseUrl: 'liteLlmBaseUrl', key: 'liteLlmApiKey', model: 'LiteLlmModelId' },
};

/** Cline's `globalState.json`. `secrets`: the text of `secrets.json` beside it, if there is one. */
export function readClineState(text: string, place: ImportPlace, secrets?: string): readonly ImportItem[] {
  const state = readForeignJson(text);
  const keys = secrets === undefined ? undefined : readForeignJson(secrets);
  const items = (['act', 'plan'] as const).flatMap((mode) => {
    const provider = fieldOf(state, `${mode}ModeApiProvider`);
    if (typeof provider !== 'string' || provider === '') return [];
    const known = Object.hasOwn(fields, provider) ? fields[provider]! : undefined;
    const model = fieldOf(state, `${mode}Mode${known?.model ?? 'ApiModelId'}`);
    const info = fieldOf(state, `${mode}ModeOpenAiModelInfo`);
    return [
      withLostHeaders(
        modelItem(
          {
            ...{ name: typeof model === 'string' ? model : undefined, provider, model },
            baseUrl: known && fieldOf(state, known.baseUrl),
            key: known && (fieldOf(keys, known.key) ?? fieldOf(state, known.key)),
            contextWindow:
              provider === 'ollama'
                ? fieldOf(state, 'ollamaApiOptionsCtxNum')
                : provider === 'openai'
                  ? fieldOf(info, 'contextWindow')
                  : undefined,
          },
          place,
        ),
        provider === 'openai' ? fieldOf(state, 'openAiHeaders') : undefined,
      ),
    ];
  });
  const [act, plan] = items;
  return act && plan && JSON.stringify(act) === JSON.stringify(plan) ? [act] : items;
}

/** By the name of a provider in Cline's newer settings: the word for it that `modelItem` knows. */
const newerNames: Readonly<Record<string, string>> = {
  'openai-compatible': 'openai',
  'openai-native': 'openai-native',
};

/** Cline's newer `providers.json`: the settings of each provider, with its key. */
export function readClineProviders(text: string, place: ImportPlace): readonly ImportItem[] {
  const providers = fieldOf(readForeignJson(text), 'providers');
  return (isJsonObject(providers) ? Object.entries(providers) : []).slice(0, 200).map(([name, entry]) => {
    const settings = fieldOf(entry, 'settings');
    const word = fieldOf(settings, 'provider') ?? name;
    const provider = typeof word === 'string' ? (newerNames[word] ?? word) : name;
    const model = fieldOf(settings, 'model');
    const item = modelItem(
      {
        ...{ name: typeof model === 'string' ? model : name, provider, model },
        ...{ baseUrl: fieldOf(settings, 'baseUrl'), key: fieldOf(settings, 'apiKey') },
        contextWindow: fieldOf(settings, 'contextWindow'),
      },
      place,
    );
    return withLostHeaders(item, fieldOf(settings, 'headers'));
  });
}
