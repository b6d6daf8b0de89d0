import * as l10n from '../../util/l10n';
import path from 'node:path';
import type { ImportItem } from './importItem';
import type { JudgedItem } from './importChanges';

/** What becomes of an item, as a sentence for people. */
export function judgedText({ item, state }: JudgedItem): string {
  const { becomes } = item;
  if (becomes.kind === 'nothing') return item.what === 'file' ? becomes.why : l10n.t('Not taken: {0}', becomes.why);
  if (state === 'present') return l10n.t('Already here.');
  const isForAll = item.place.folder !== undefined && becomes.kind !== 'projectRules';
  const everywhere = isForAll ? [l10n.t('It comes from this workspace, and will be there in every workspace.')] : [];
  return [becomesText(becomes), ...item.notes, ...everywhere].join(' ');
}

/** What an item is, as a word for people. */
export function kindText({ what }: Pick<ImportItem, 'what'>): string {
  switch (what) {
    case 'model':
      return l10n.t('Model');
    case 'mcpServer':
      return l10n.t('MCP server');
    case 'mode':
      return l10n.t('Mode');
    case 'rules':
      return l10n.t('Rules');
    case 'file':
      return l10n.t('File');
  }
}

/** Where an item comes from: the program, and its file as far as it tells more. */
export function placeText({ from, file, folder, home }: ImportItem['place']): string {
  const below = (base: string, sign: string): string | undefined =>
    file.startsWith(base + path.sep) ? `${sign}${file.slice(base.length + 1)}` : undefined;
  const shown = (folder === undefined ? undefined : below(folder, '')) ?? below(home, `~${path.sep}`) ?? file;
  return `${from}, ${shown}`;
}

/** Everything that was found, as a Markdown document. Foreign words stand in code, where they mean nothing. */
export function importReport(judged: readonly JudgedItem[], taken: ReadonlySet<ImportItem>): string {
  const lines = judged.map((one) => {
    const { item } = one;
    const fate = taken.has(item) ? `${l10n.t('Taken.')} ` : one.state === 'new' ? `${l10n.t('Not chosen.')} ` : '';
    return `- ${kindText(item)} ${code(item.name)} (${code(placeText(item.place))}): ${fate}${code(judgedText(one))}`;
  });
  return [`# ${l10n.t('Import Settings')}`, '', ...lines, ''].join('\n');
}

function becomesText(becomes: Exclude<ImportItem['becomes'], { kind: 'nothing' }>): string {
  switch (becomes.kind) {
    case 'profile': {
      const { profile, contextWindow } = becomes;
      return contextWindow === undefined
        ? l10n.t('Becomes a profile: {0} at {1}.', profile.model, profile.baseUrl)
        : l10n.t(
            'Becomes a profile: {0} at {1}, {2} tokens of context.',
            profile.model,
            profile.baseUrl,
            contextWindow,
          );
    }
    case 'mcpServer': {
      const { command, args, url } = becomes.server;
      const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : []), url].filter(isText);
      return l10n.t(
        'Becomes the MCP server {0}: {1}. Open Agent asks before it first uses it.',
        becomes.name,
        words.join(' '),
      );
    }
    case 'agent': {
      const { id, excludeTools } = becomes.agent;
      return excludeTools === undefined
        ? l10n.t('Becomes the agent {0}.', id)
        : l10n.t('Becomes the agent {0}, without {1}.', id, excludeTools.join(', '));
    }
    case 'ownRules':
      return l10n.t('Goes to the end of your system prompt, in every workspace: {0}', startOf(becomes.text));
    case 'projectRules':
      return l10n.t('Is proposed for AGENTS.md of this workspace: {0}', startOf(becomes.text));
  }
}

const isText = (word: unknown): word is string => typeof word === 'string';

function startOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return `${fence} ${text.replaceAll(/\s+/g, ' ').trim()} ${fence}`;
}
