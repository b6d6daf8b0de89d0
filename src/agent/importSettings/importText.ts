import path from 'node:path';
import type { ImportItem } from './importItem';
import type { JudgedItem } from './importChanges';

/** What becomes of an item, as a sentence for people. */
export function judgedText({ item, state }: JudgedItem): string {
  const { becomes } = item;
  if (becomes.kind === 'nothing') return item.what === 'File' ? becomes.why : `Not taken: ${becomes.why}`;
  if (state === 'present') return 'Already here.';
  const isForAll = item.place.folder !== undefined && becomes.kind !== 'projectRules';
  const everywhere = isForAll ? ['It comes from this workspace, and will be there in every workspace.'] : [];
  return [becomesText(becomes), ...item.notes, ...everywhere].join(' ');
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
    const fate = taken.has(item) ? 'Taken. ' : one.state === 'new' ? 'Not chosen. ' : '';
    return `- ${item.what} ${code(item.name)} (${code(placeText(item.place))}): ${fate}${code(judgedText(one))}`;
  });
  return ['# Import Settings', '', ...lines, ''].join('\n');
}

function becomesText(becomes: Exclude<ImportItem['becomes'], { kind: 'nothing' }>): string {
  switch (becomes.kind) {
    case 'profile': {
      const { profile, contextWindow } = becomes;
      const window = contextWindow === undefined ? '' : `, ${contextWindow} tokens of context`;
      return `Becomes a profile: ${profile.model} at ${profile.baseUrl}${window}.`;
    }
    case 'mcpServer': {
      const { command, args, url } = becomes.server;
      const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : []), url].filter(isText);
      return `Becomes the MCP server ${becomes.name}: ${words.join(' ')}. Open Agent asks before it first uses it.`;
    }
    case 'agent':
      return `Becomes the agent ${becomes.agent.id}${limitText(becomes.agent.excludeTools)}.`;
    case 'ownRules':
      return `Goes to the end of your system prompt, in every workspace: ${startOf(becomes.text)}`;
    case 'projectRules':
      return `Is proposed for AGENTS.md of this workspace: ${startOf(becomes.text)}`;
  }
}

const isText = (word: unknown): word is string => typeof word === 'string';

function limitText(excluded: readonly string[] | undefined): string {
  return excluded === undefined ? '' : `, without ${excluded.join(', ')}`;
}

function startOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  return `${fence} ${text.replaceAll(/\s+/g, ' ').trim()} ${fence}`;
}
