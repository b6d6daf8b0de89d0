import * as l10n from '../../util/l10n';
import type { ImportItem, ImportPlace } from './importItem';
import { mcpItem } from './mcpItem';
import { readMcpSettings } from './mcpFile';
import { fieldOf, listOf, modelItem, withLostHeaders } from './modelItem';
import { refused } from './importItem';
import { readForeignJson, readForeignYaml } from './readForeign';
import { ruleItem } from './ruleItem';

/** Continue's `config.yaml`, and its blocks in `models/`, `rules/` and `mcpServers/`, which have the same form. */
export function readContinueYaml(text: string, place: ImportPlace): readonly ImportItem[] {
  const config = readForeignYaml(text);
  return [
    ...listOf(fieldOf(config, 'models')).map((model) => continueModel(model, place)),
    ...listOf(fieldOf(config, 'mcpServers')).map((server) => continueServer(server, place)),
    ...listOf(fieldOf(config, 'rules')).flatMap((rule, index) => continueRule(rule, index, place)),
  ];
}

/** Continue's older `config.json`. */
export function readContinueJson(text: string, place: ImportPlace): readonly ImportItem[] {
  const config = readForeignJson(text);
  const rules = ruleItem('systemMessage', fieldOf(config, 'systemMessage'), place);
  const servers = listOf(fieldOf(fieldOf(config, 'experimental'), 'modelContextProtocolServers'));
  return [
    ...listOf(fieldOf(config, 'models')).map((model) => olderModel(model, place)),
    ...servers.map((server, index) => mcpItem(`continue-${index + 1}`, fieldOf(server, 'transport'), place)),
    ...(rules ? [rules] : []),
  ];
}

/** A file in `.continue/mcpServers`: YAML of Continue, or JSON in the form of other programs. */
export function readContinueServers(text: string, place: ImportPlace): readonly ImportItem[] {
  return place.file.endsWith('.json') ? readMcpSettings(text, place) : readContinueYaml(text, place);
}

function continueModel(model: unknown, place: ImportPlace): ImportItem {
  const name = fieldOf(model, 'name');
  const uses = fieldOf(model, 'uses');
  if (uses !== undefined) return refused(place, 'model', nameOf(uses), l10n.t('it is kept on the hub of Continue.'));
  const roles = fieldOf(model, 'roles');
  if (Array.isArray(roles) && !roles.includes('chat')) {
    return refused(place, 'model', nameOf(name), l10n.t('it is for {0}, not for chat.', roles.slice(0, 10).join(', ')));
  }
  const options = fieldOf(model, 'defaultCompletionOptions');
  const item = modelItem(
    {
      ...{ name, provider: fieldOf(model, 'provider'), model: fieldOf(model, 'model') },
      ...{ baseUrl: fieldOf(model, 'apiBase'), key: fieldOf(model, 'apiKey') },
      ...completionOptions(options),
      contextWindow: fieldOf(options, 'contextLength'),
    },
    place,
  );
  return withLostHeaders(item, fieldOf(fieldOf(model, 'requestOptions'), 'headers'));
}

function olderModel(model: unknown, place: ImportPlace): ImportItem {
  const item = modelItem(
    {
      ...{ name: fieldOf(model, 'title'), provider: fieldOf(model, 'provider'), model: fieldOf(model, 'model') },
      ...{ baseUrl: fieldOf(model, 'apiBase'), key: fieldOf(model, 'apiKey') },
      ...completionOptions(fieldOf(model, 'completionOptions')),
      contextWindow: fieldOf(model, 'contextLength'),
    },
    place,
  );
  return withLostHeaders(item, fieldOf(fieldOf(model, 'requestOptions'), 'headers'));
}

function completionOptions(options: unknown) {
  return {
    ...{ temperature: fieldOf(options, 'temperature'), topP: fieldOf(options, 'topP') },
    ...{ topK: fieldOf(options, 'topK'), maxTokens: fieldOf(options, 'maxTokens') },
  };
}

function continueServer(server: unknown, place: ImportPlace): ImportItem {
  const uses = fieldOf(server, 'uses');
  if (uses !== undefined)
    return refused(place, 'mcpServer', nameOf(uses), l10n.t('it is kept on the hub of Continue.'));
  return mcpItem(nameOf(fieldOf(server, 'name')), server, place);
}

function continueRule(rule: unknown, index: number, place: ImportPlace): readonly ImportItem[] {
  const uses = fieldOf(rule, 'uses');
  if (uses !== undefined)
    return [refused(place, 'rules', nameOf(uses), l10n.t('they are kept on the hub of Continue.'))];
  const name = fieldOf(rule, 'name');
  const globs = fieldOf(rule, 'globs');
  const files = (Array.isArray(globs) ? globs : [globs]).filter((glob) => typeof glob === 'string').join(', ');
  const text = typeof rule === 'string' ? rule : fieldOf(rule, 'rule');
  const item = ruleItem(
    name === undefined ? l10n.t('Rule {0}', index + 1) : nameOf(name),
    text,
    place,
    files || undefined,
  );
  return item ? [item] : [];
}

function nameOf(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : l10n.t('No name');
}
