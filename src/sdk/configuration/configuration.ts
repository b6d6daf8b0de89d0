import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../util/json';
import { once } from '../../util/lazy';
import { AgentError } from '../errors';
import { expandProviderName, originOf } from '../model/http/baseUrl';
import { messageOf } from '../../util/errors';
import { describeIssues } from '../../util/zodIssues';

const settingsSchema = once(() => {
  const text = z.string().trim().optional();
  return z.looseObject({ baseUrl: text, model: text, apiKey: text, ca: text });
});

/** The settings of one source. `baseUrl` may be a short name: `lmstudio`, `ollama`, `llamacpp`, `vllm`. */
export interface ConnectionSettings {
  readonly baseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  /** A private certificate authority, as `AgentOptions.ca`. */
  readonly ca?: string | undefined;
}

/** The sources, from the strongest to the weakest. Empty values count as absent. */
export interface ConfigurationSources {
  readonly flags?: ConnectionSettings | undefined;
  /** `OPEN_AGENT_BASE_URL`, `OPEN_AGENT_MODEL`, `OPEN_AGENT_API_KEY`, `OPEN_AGENT_CA`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly settings?: ConnectionSettings | undefined;
  readonly defaults?: ConnectionSettings | undefined;
}

/** A server with its model, as options for a client: `new Client(resolveConfiguration(…))`. */
export interface Configuration {
  /** Empty when no source names a server. */
  readonly baseUrl: string;
  /** Empty when no source names a model. */
  readonly model: string;
  /** Empty when no source names a certificate authority. */
  readonly ca: string;
  /** The key of this server, and the URL it was given for. */
  readonly key?: { readonly baseUrl: string; readonly value: string } | undefined;
  /** A key that was given but not used, and why. */
  readonly warning?: string | undefined;
}

/**
 * Merges flags, environment, settings file and defaults: each field from the strongest source that has it. A key is
 * only sent to the origin of the URL from the same source. A key of a flag or the environment without a URL belongs to
 * the server in use; a stored key is not used then.
 */
export function resolveConfiguration(sources: ConfigurationSources): Configuration {
  const places = placesOf(sources);
  const baseUrl = expandProviderName(firstSaid(places, 'baseUrl'));
  return {
    baseUrl,
    model: firstSaid(places, 'model'),
    ca: firstSaid(places, 'ca'),
    ...keyFor(baseUrl, places),
  };
}

/**
 * Reads a settings file: JSON with `baseUrl`, `model`, `apiKey` and `ca`, all optional. Without a file there are no
 * settings. Throws `invalid_options` that names the file when it cannot be read or parsed.
 */
export async function readSettingsFile(path: string): Promise<ConnectionSettings> {
  const settings = await readSettingsObject(path);
  return Object.keys(settings).length === 0 ? {} : parseConnectionSettings(settings, path);
}

/** Everything in a settings file, unchecked. Rejects as `readSettingsFile` does. */
export async function readSettingsObject(path: string): Promise<JsonObject> {
  let text: string;
  try {
    const { readFile } = await import('node:fs/promises');
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unusable(path, messageOf(cause), cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (!isJsonObject(value)) throw new Error('expected an object');
    return value;
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
}

/** The server settings in `settings` from the file at `path`. Throws `invalid_options` that names every wrong field. */
export function parseConnectionSettings(settings: JsonObject, path: string): ConnectionSettings {
  const parsed = settingsSchema().safeParse(settings);
  if (!parsed.success) {
    throw unusable(path, describeIssues(parsed.error), parsed.error);
  }
  const { baseUrl, model, apiKey, ca } = parsed.data;
  return { baseUrl, model, apiKey, ca };
}

interface Place extends ConnectionSettings {
  /** The source's own names for its key and URL. */
  readonly keyName: string;
  readonly urlName: string;
  /** Whether its key may be sent to a server that another source names. */
  readonly isOfThisStart: boolean;
}

function placesOf({ flags, env = {}, settings, defaults }: ConfigurationSources): readonly Place[] {
  return [
    { ...flags, keyName: 'The API key', urlName: '--base-url', isOfThisStart: true },
    {
      baseUrl: env['OPEN_AGENT_BASE_URL'],
      model: env['OPEN_AGENT_MODEL'],
      apiKey: env['OPEN_AGENT_API_KEY'],
      ca: env['OPEN_AGENT_CA'],
      keyName: 'OPEN_AGENT_API_KEY',
      urlName: 'OPEN_AGENT_BASE_URL',
      isOfThisStart: true,
    },
    {
      ...settings,
      keyName: 'apiKey of the settings file',
      urlName: 'baseUrl of the settings file',
      isOfThisStart: false,
    },
    { ...defaults, keyName: 'The default API key', urlName: 'the default URL', isOfThisStart: false },
  ];
}

function firstSaid(places: readonly Place[], field: keyof ConnectionSettings): string {
  for (const place of places) {
    const value = place[field]?.trim();
    if (value) return value;
  }
  return '';
}

function keyFor(baseUrl: string, places: readonly Place[]): Pick<Configuration, 'key' | 'warning'> {
  let warning: string | undefined;
  for (const place of places) {
    const value = place.apiKey?.trim();
    if (!value) continue;
    const owner = expandProviderName(place.baseUrl ?? '') || (place.isOfThisStart ? baseUrl : '');
    if (owner === '') {
      const urlNames = place.isOfThisStart && place.urlName !== '--base-url' ? ' or --base-url' : '';
      warning ??= `${place.keyName} is not used: it needs a base URL to belong to (${place.urlName}${urlNames}).`;
    } else if (baseUrl !== '' && !isSameOrigin(owner, baseUrl)) {
      warning ??= `${place.keyName} is not sent to ${baseUrl}: it belongs to ${owner} (${place.urlName}).`;
    } else {
      return { key: { baseUrl: owner, value } };
    }
  }
  return warning === undefined ? {} : { warning };
}

function isSameOrigin(one: string, other: string): boolean {
  try {
    return originOf(one) === originOf(other);
  } catch {
    // One of them is no URL. The connection will report that.
    return false;
  }
}

function unusable(path: string, why: string, cause: unknown): AgentError {
  return new AgentError(
    { code: 'invalid_options', message: `The settings file ${path} cannot be used: ${why}.` },
    { cause },
  );
}
