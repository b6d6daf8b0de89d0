import * as l10n from '../../util/l10n';
import { isJsonObject } from '../../util/json';
import type { ImportItem, ImportPlace } from './importItem';
import { fieldOf, modelItem } from './modelItem';
import { modeItems } from './modeItems';
import { readForeignJson } from './readForeign';
import { ruleItem } from './ruleItem';

const prefixes: Readonly<Record<string, string>> = {
  ...{ openai: 'openAi', ollama: 'ollama', lmstudio: 'lmStudio', litellm: 'litellm' },
};

/** The settings that Roo Code and Zoo Code export, by default as `roo-code-settings.json`. */
export function readRooExport(text: string, place: ImportPlace): readonly ImportItem[] {
  const exported = readForeignJson(text);
  const profiles = fieldOf(fieldOf(exported, 'providerProfiles'), 'apiConfigs');
  const settings = fieldOf(exported, 'globalSettings');
  const rules = ruleItem(l10n.t('Custom instructions'), fieldOf(settings, 'customInstructions'), place);
  return [
    ...(isJsonObject(profiles) ? Object.entries(profiles) : [])
      .slice(0, 200)
      .map(([name, profile]) => rooModel(name, profile, place)),
    ...modeItems(fieldOf(settings, 'customModes'), place),
    ...(rules ? [rules] : []),
  ];
}

function rooModel(name: string, profile: unknown, place: ImportPlace): ImportItem {
  const provider = fieldOf(profile, 'apiProvider');
  const prefix = typeof provider === 'string' && Object.hasOwn(prefixes, provider) ? prefixes[provider]! : '';
  const info = fieldOf(profile, 'openAiCustomModelInfo');
  return modelItem(
    {
      ...{ name, provider, model: fieldOf(profile, `${prefix}ModelId`) ?? fieldOf(profile, 'apiModelId') },
      ...{ baseUrl: fieldOf(profile, `${prefix}BaseUrl`), key: fieldOf(profile, `${prefix}ApiKey`) },
      temperature: fieldOf(profile, 'modelTemperature'),
      contextWindow: provider === 'openai' ? fieldOf(info, 'contextWindow') : fieldOf(profile, 'ollamaNumCtx'),
    },
    place,
  );
}
