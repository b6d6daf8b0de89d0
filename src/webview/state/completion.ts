import type { ServerPrompt, ServerResource } from '../../protocol/toWebview';

/** The prompts and resources of the MCP servers. */
export interface ServerItems {
  readonly prompts: readonly ServerPrompt[];
  readonly resources: readonly ServerResource[];
}

/** The file names that match the typed text, best first. */
export interface FoundFiles {
  readonly typed: string;
  readonly names: readonly string[];
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
  readonly detail: string;
}

const maxSuggestions = 50;

export function nameAt(text: string, caret: number): NameBeingTyped | undefined {
  const before = text.slice(0, caret);
  const [found, sigil = '', typed = ''] = /(?:^\s*(?=\/)|(?:^|\s)(?=@))([/@])(\S*)$/.exec(before) ?? [];
  if (found === undefined) return undefined;
  const start = caret - typed.length - 1;
  return { kind: sigil === '/' ? 'prompt' : 'mention', start, end: caret, typed };
}

/** The names that match the typed text: server names that begin with it, then others that contain it, then files. */
export function suggest(
  { kind, typed }: NameBeingTyped,
  items: ServerItems,
  files: FoundFiles | undefined,
): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const all: readonly Suggestion[] =
    kind === 'prompt'
      ? items.prompts.map(({ server, name, description, arguments: names }) => ({
          name: `/${server}:${name}`,
          detail: [...(names.length > 0 ? [`asks for ${names.join(', ')}`] : []), description]
            .filter(Boolean)
            .join(' · '),
        }))
      : items.resources.map(({ server, uri, description }) => ({ name: `@${server}:${uri}`, detail: description }));
  const isStart = ({ name }: Suggestion): boolean => name.slice(1).toLowerCase().startsWith(wanted);
  const isPart = ({ name }: Suggestion): boolean => name.toLowerCase().includes(wanted);
  const starts = all.filter(isStart);
  const ofServers = [...starts, ...all.filter((one) => !isStart(one) && isPart(one))];
  // Files found for earlier letters may no longer match. The answer for the current letters comes later.
  const named = kind === 'mention' ? (files?.names ?? []).map(mentionOf).filter(isPart) : [];
  return [...ofServers, ...named].slice(0, maxSuggestions);
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
