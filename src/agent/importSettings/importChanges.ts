import { isJsonObject, type JsonValue } from '../../util/json';
import { normalizeBaseUrl } from '../../sdk/model/http/baseUrl';
import type { Becomes, FoundKey, ImportItem } from './importItem';
import { fieldOf, listOf } from './modelItem';

/** The person's own settings, as they are written, and the rules of the workspace's folders. */
export interface ImportTarget {
  readonly profiles: unknown;
  readonly modelOptions: unknown;
  readonly mcpServers: unknown;
  readonly agents: unknown;
  readonly systemPrompt: unknown;
  /** The text of AGENTS.md, by folder. */
  readonly projectRules: ReadonlyMap<string, string>;
}

export interface JudgedItem {
  readonly item: ImportItem;
  readonly state: 'new' | 'present' | 'refused';
}

/** New values of settings, without the prefix `openAgent.`, and what goes elsewhere. */
export interface ImportChanges {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly apiKeys: readonly { readonly baseUrl: string; readonly value: string }[];
  readonly projectRules: readonly { readonly folder: string; readonly text: string }[];
}

/** Says which items are new. Of equal items the first one is. */
export function judgeItems(items: readonly ImportItem[], target: ImportTarget): readonly JudgedItem[] {
  const seen = presentIdentities(target);
  return items.map((item) => {
    const { becomes } = item;
    if (becomes.kind === 'nothing') return { item, state: 'refused' };
    const identity = identityOf(becomes);
    if (seen.has(identity) || isWritten(becomes, target)) return { item, state: 'present' };
    seen.add(identity);
    return { item, state: 'new' };
  });
}

/** The keys of the chosen items. */
export function keysOf(items: readonly ImportItem[]): readonly FoundKey[] {
  return items.flatMap(({ becomes }): readonly FoundKey[] => {
    if (becomes.kind === 'mcpServer') return becomes.keys;
    return becomes.kind === 'profile' && becomes.key ? [becomes.key] : [];
  });
}

/** What has to be changed for the chosen items. Only the keys in `keys` are copied. Nothing that is there is replaced. */
export function importChanges(
  items: readonly ImportItem[],
  keys: ReadonlySet<FoundKey>,
  target: ImportTarget,
): ImportChanges {
  const profiles = [...listAsWritten(target.profiles)];
  const agents = [...listAsWritten(target.agents)];
  const mcpServers = { ...asObject(target.mcpServers) };
  const modelOptions = { ...asObject(target.modelOptions) };
  const systemPrompt = [typeof target.systemPrompt === 'string' ? target.systemPrompt : ''];
  const apiKeys: { baseUrl: string; value: string }[] = [];
  const projectRules: { folder: string; text: string }[] = [];
  const changed = new Set<string>();
  for (const { becomes } of items) {
    switch (becomes.kind) {
      case 'profile': {
        const { profile, contextWindow, key } = becomes;
        profiles.push({ ...profile, id: freeName(profile.id, idsOf(profiles), ' ') });
        changed.add('profiles');
        const options = asObject(modelOptions[profile.model]);
        if (contextWindow !== undefined && options['contextWindow'] === undefined) {
          modelOptions[profile.model] = { ...options, contextWindow };
          changed.add('modelOptions');
        }
        if (key && keys.has(key)) apiKeys.push({ baseUrl: profile.baseUrl, value: key.value });
        break;
      }
      case 'mcpServer': {
        const copied = becomes.keys.filter((key) => keys.has(key));
        const withKeys = (field: 'env' | 'headers'): Record<string, unknown> => {
          const own = copied.filter((key) => key.field === field).map(({ name, value }) => [name, value]);
          const all = { ...asObject(becomes.server[field]), ...(Object.fromEntries(own) as Record<string, unknown>) };
          return Object.keys(all).length === 0 ? {} : { [field]: all };
        };
        const name = freeName(becomes.name, Object.keys(mcpServers), '-', 30);
        mcpServers[name] = { ...becomes.server, ...withKeys('env'), ...withKeys('headers') };
        changed.add('mcpServers');
        break;
      }
      case 'agent':
        agents.push({ ...becomes.agent, id: freeName(becomes.agent.id, idsOf(agents), '-', 100) });
        changed.add('agents');
        break;
      case 'ownRules':
        systemPrompt.push(becomes.text);
        changed.add('systemPrompt');
        break;
      case 'projectRules':
        projectRules.push({ folder: becomes.folder, text: `## ${oneLine(becomes.title)}\n\n${becomes.text}` });
        break;
      case 'nothing':
        break;
    }
  }
  const all: Record<string, unknown> = {
    profiles,
    modelOptions,
    mcpServers,
    agents,
    systemPrompt: joined(systemPrompt),
  };
  return {
    settings: Object.fromEntries(Object.entries(all).filter(([name]) => changed.has(name))),
    apiKeys,
    projectRules,
  };
}

/** Two items with the same identity are the same thing. */
function identityOf(becomes: Exclude<ImportItem['becomes'], { kind: 'nothing' }>): string {
  switch (becomes.kind) {
    case 'profile':
      return profileIdentity(becomes.profile.baseUrl, becomes.profile.model);
    case 'mcpServer':
      return serverIdentity(becomes.server);
    case 'agent':
      return identity('agent', becomes.agent.id, becomes.agent.prompt);
    case 'ownRules':
      return identity('rules', becomes.text);
    case 'projectRules':
      return identity('rules', becomes.folder, becomes.text);
  }
}

function presentIdentities({ profiles, mcpServers, agents }: ImportTarget): Set<string> {
  return new Set([
    ...listOf(profiles).map((one) => profileIdentity(fieldOf(one, 'baseUrl'), fieldOf(one, 'model'))),
    ...Object.values(asObject(mcpServers)).map(serverIdentity),
    ...listOf(agents).map((one) => identity('agent', fieldOf(one, 'id'), fieldOf(one, 'prompt'))),
  ]);
}

function isWritten(becomes: Becomes, { systemPrompt, projectRules }: ImportTarget): boolean {
  if (becomes.kind === 'ownRules') return typeof systemPrompt === 'string' && systemPrompt.includes(becomes.text);
  return becomes.kind === 'projectRules' && (projectRules.get(becomes.folder) ?? '').includes(becomes.text);
}

function profileIdentity(baseUrl: unknown, model: unknown): string {
  return identity('profile', typeof baseUrl === 'string' ? sameHost(baseUrl) : '', model);
}

function sameHost(baseUrl: string): string {
  try {
    return normalizeBaseUrl(baseUrl).replace('//localhost:', '//127.0.0.1:');
  } catch {
    // A wrong address in the settings is like no other.
    return baseUrl;
  }
}

function serverIdentity(server: unknown): string {
  return identity('server', fieldOf(server, 'command'), fieldOf(server, 'args') ?? [], fieldOf(server, 'url'));
}

function identity(...parts: readonly unknown[]): string {
  return JSON.stringify(parts.map((part) => (part === undefined ? null : (part as JsonValue))));
}

function freeName(name: string, taken: readonly unknown[], separator: string, maxLength = 200): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    const ending = `${separator}${number}`;
    const candidate = `${name.slice(0, maxLength - ending.length)}${ending}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

const idsOf = (items: readonly unknown[]): readonly unknown[] => items.map((item) => fieldOf(item, 'id'));
const listAsWritten = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const asObject = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {});
const joined = (parts: readonly string[]): string =>
  parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
