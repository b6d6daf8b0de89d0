import * as l10n from '../../util/l10n';
import * as z from 'zod';
import { isJsonObject } from '../../util/json';
import { messageOf } from '../../util/errors';
import { parseProfile, type LlmProfile } from '../../sdk/configuration/profiles';
import { originOf } from '../../sdk/model/http/baseUrl';
import { refused, type FoundKey, type ImportItem, type ImportPlace } from './importItem';

/** A model as other programs know it. What has another type than expected counts as absent. */
export interface ForeignModel {
  readonly name?: unknown;
  /** The program's word for the kind of server: `ollama`, `openai`. */
  readonly provider: unknown;
  readonly model: unknown;
  readonly baseUrl?: unknown;
  readonly key?: unknown;
  readonly temperature?: unknown;
  readonly topP?: unknown;
  readonly topK?: unknown;
  readonly maxTokens?: unknown;
  readonly contextWindow?: unknown;
}

/** Where servers listen when nothing else is said. */
const usualAddresses: Readonly<Record<string, string>> = {
  ollama: 'http://127.0.0.1:11434',
  lmstudio: 'http://127.0.0.1:1234',
  'llama.cpp': 'http://127.0.0.1:8080',
  llamafile: 'http://127.0.0.1:8080',
  vllm: 'http://127.0.0.1:8000',
  litellm: 'http://127.0.0.1:4000',
};
/** These speak OpenAI's API at an address that the person gives. */
const withAddress: ReadonlySet<string> = new Set(['openai', 'openai-compatible', 'text-gen-webui', 'tgi', 'lemonade']);

const text = z.string().trim().min(1).max(500).optional().catch(undefined);
const number = (schema: z.ZodNumber) =>
  z
    .preprocess((value) => (typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value), schema)
    .optional()
    .catch(undefined);
const ModelSchema = z.object({
  ...{ name: text, provider: text, model: text, baseUrl: text },
  key: z.string().trim().min(1).max(4_000).optional().catch(undefined),
  temperature: number(z.number().min(0).max(2)),
  topP: number(z.number().min(0).max(1)),
  topK: number(z.int().min(0)),
  maxTokens: number(z.int().min(1)),
  contextWindow: number(z.int().min(512).max(100_000_000)),
});

/** A model of another program as a profile. */
export function modelItem(given: ForeignModel, place: ImportPlace): ImportItem {
  const { name, provider = '', model, baseUrl, key, contextWindow, ...sampling } = ModelSchema.parse(given);
  const shown = name ?? model ?? l10n.t('Model without a name');
  const no = (why: string): ImportItem => refused(place, 'model', shown, why);
  if (place.folder !== undefined)
    return no(l10n.t('a file of a workspace cannot name a model server. Add a profile by hand.'));
  const kind = provider.toLowerCase();
  const usual = Object.hasOwn(usualAddresses, kind) ? usualAddresses[kind] : undefined;
  if (kind === '') return no(l10n.t('no server is named.'));
  if (usual === undefined && !withAddress.has(kind)) {
    return no(
      l10n.t(
        '"{0}" is a hosted service or has an API of its own. With OpenAI\'s API, add it as a profile by hand.',
        provider,
      ),
    );
  }
  const address = baseUrl ?? usual;
  if (address === undefined)
    return no(l10n.t('it is the hosted service of OpenAI. Open Agent uses the servers that you name.'));
  if (isPlaceholder(address)) return no(l10n.t('its address is the variable {0}.', address));
  if (model === undefined || isPlaceholder(model) || /^autodetect$/i.test(model)) {
    return no(
      l10n.t('no model is named. Set openAgent.baseUrl to {0} to use the model that the server has loaded.', address),
    );
  }
  try {
    const profile = parseProfile({ id: shown, baseUrl: address, model, ...withoutAbsent(sampling) });
    const found = keyOf(key, profile);
    return {
      ...{ place, what: 'model', name: shown },
      becomes: {
        kind: 'profile',
        profile,
        ...(contextWindow !== undefined && { contextWindow }),
        ...(found.key && { key: found.key }),
      },
      notes: found.notes,
    };
  } catch (error) {
    return no(messageOf(error));
  }
}

/** Notes that headers for a model server are not taken: they may hold keys, and profiles have none. */
export function withLostHeaders(item: ImportItem, headers: unknown): ImportItem {
  const names = isJsonObject(headers) ? Object.keys(headers).slice(0, 10) : [];
  if (names.length === 0 || item.becomes.kind === 'nothing') return item;
  return { ...item, notes: [...item.notes, l10n.t('Its headers are not taken: {0}.', names.join(', '))] };
}

/** Values that programs write where no key is needed. */
const NO_KEY =
  /^(?:none|noop|null|dummy|empty|ollama|lm-?studio|not[-_ ]?needed|no[-_ ]?key|x+|sk-(?:x+|none|no-key-required))$/i;

function keyOf(
  key: string | undefined,
  { baseUrl }: LlmProfile,
): { readonly key?: FoundKey; readonly notes: readonly string[] } {
  if (key === undefined || NO_KEY.test(key)) return { notes: [] };
  const origin = originOf(baseUrl);
  if (isPlaceholder(key)) return { notes: [l10n.t('Its key is the variable {0}: set it with Set API Key…', key)] };
  return { key: { label: l10n.t('API key for {0}', origin), value: key }, notes: [] };
}

/** `${{ secrets.NAME }}` and `${NAME}` of other programs. */
function isPlaceholder(value: string): boolean {
  return /\$\{/.test(value);
}

export function withoutAbsent<T extends object>(fields: T): { [K in keyof T]: NonNullable<T[K]> } {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said) as { [K in keyof T]: NonNullable<T[K]> };
}

/** The field of a value that may be no object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The items of a value that may be no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 200) : [];
}
