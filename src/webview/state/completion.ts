import * as l10n from '../../util/l10n';
import { contextSourceDetail, contextSourceNames } from '../../agent/view/prompt/contextChip';
import type { NamedContext, ServerPrompt, ServerResource, SlashCommand } from '../../protocol/toWebview';

/** The prompts and resources of the MCP servers. */
export interface ServerItems {
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
}

/** The file names that match the typed text, best first. */
export interface FoundFiles {
  readonly typed: string;
  readonly names: readonly string[];
  /** The files are still being listed. */
  readonly isPartial?: true | undefined;
  /** Those that are open in an editor, the active one first. */
  readonly open?: readonly string[] | undefined;
  /** Code, branches and commits, best first. */
  readonly others?: readonly NamedContext[] | undefined;
}

/** The name being typed before the caret: `/…` at the start of the text, `@…` at the start of a word. */
export interface NameBeingTyped {
  readonly kind: 'prompt' | 'mention';
  /** The index of its `/` or `@`, and of the caret. */
  readonly start: number;
  readonly end: number;
  /** The text between its `/` or `@` and the caret. */
  readonly typed: string;
}

export interface Suggestion {
  /** The whole name: `/server:prompt`, `@server:uri`, `@folder/file`. */
  readonly name: string;
  /** Shown in place of the name. */
  readonly label?: string | undefined;
  readonly detail: string;
}

const maxSuggestions = 50;
/** Further files come after the code. */
const filesBeforeCode = 4;

export function nameAt(text: string, caret: number): NameBeingTyped | undefined {
  const before = text.slice(0, caret);
  const [found, sigil = '', typed = ''] = /(?:^\s*(?=\/)|(?:^|\s)(?=@))([/@])(\S*)$/.exec(before) ?? [];
  if (found === undefined) return undefined;
  const start = caret - typed.length - 1;
  return { kind: sigil === '/' ? 'prompt' : 'mention', start, end: caret, typed };
}

/**
 * The names that match the typed text: commands, or context besides files, that begin with it; server names that begin with
 * it, others that contain it; open files, then other files.
 */
export function suggest(
  { kind, typed }: NameBeingTyped,
  items: ServerItems,
  files: FoundFiles | undefined,
  sources: readonly Suggestion[] = [],
): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const all: readonly Suggestion[] =
    kind === 'prompt'
      ? items.prompts.map(({ server, name, description, arguments: names }) => ({
          name: `/${server}:${name}`,
          detail: [...(names.length > 0 ? [l10n.t('asks for {0}', names.join(', '))] : []), description]
            .filter(Boolean)
            .join(' · '),
        }))
      : items.resources.map(({ server, uri, description }) => ({ name: `@${server}:${uri}`, detail: description }));
  const isStart = ({ name }: Suggestion): boolean => name.slice(1).toLowerCase().startsWith(wanted);
  const isPart = ({ name }: Suggestion): boolean => name.toLowerCase().includes(wanted);
  const starts = all.filter(isStart);
  const ofServers = [...starts, ...all.filter((one) => !isStart(one) && isPart(one))];
  // Files found for earlier letters may no longer match. The answer for the current letters comes later.
  const { names = [], open = [], others: found = [] } = kind === 'mention' && files !== undefined ? files : {};
  const others = names.filter((name) => !open.includes(name));
  const named = [...open.map((name) => ({ ...mentionOf(name), detail: l10n.t('open') })), ...others.map(mentionOf)];
  const matching = named.filter(isPart);
  const code = found
    .map(({ written, label, detail }) => ({ name: written, label, detail }))
    .filter(({ name, label, detail }) => `${name} ${label} ${detail}`.toLowerCase().includes(wordOf(wanted)));
  const first = matching.slice(0, filesBeforeCode);
  const together = [...sources.filter(isStart), ...ofServers, ...first, ...code, ...matching.slice(filesBeforeCode)];
  return uniqueNames(together).slice(0, maxSuggestions);
}

/** Context besides files. */
export function sourceSuggestions(): readonly Suggestion[] {
  return contextSourceNames
    .filter((name) => name !== 'pasted')
    .map((name) => ({ name: `@${name}`, detail: contextSourceDetail(name) }));
}

/** Typed after `changes:`, the word is part of a branch or a commit. */
function wordOf(typed: string): string {
  return typed.startsWith('changes:') ? typed.slice('changes:'.length) : typed;
}

function uniqueNames(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return [...new Map(suggestions.toReversed().map((one) => [one.name, one])).values()].toReversed();
}

export function commandSuggestion({ name, detail }: SlashCommand): Suggestion {
  return { name: `/${name}`, detail };
}

function mentionOf(file: string): Suggestion {
  return { name: /\s/.test(file) ? `@"${file}"` : `@${file}`, detail: '' };
}

/** Completes the name in the text, followed by a blank. `caret`: the index after it. */
export function withName(
  text: string,
  { start, end }: NameBeingTyped,
  { name }: Suggestion,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(end);
  const inserted = /^\s/.test(after) ? name : `${name} `;
  return { text: text.slice(0, start) + inserted + after, caret: start + name.length + 1 };
}
