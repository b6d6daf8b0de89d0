import { useLayoutEffect, useState } from 'preact/hooks';
import {
  commandSuggestion,
  nameAt,
  sourceSuggestions,
  suggest,
  withName,
  type ServerItems,
  type Suggestion,
} from '../state/completion';
import { recalled } from '../state/recall';
import { useStore } from '../state/usePanel';
import type { WebviewState } from '../state/webviewState';

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** What the list still waits for. */
  readonly waitsFor: 'servers' | 'files' | undefined;
  /** The index of the suggestion that Enter accepts. */
  readonly active: number;
  /** Returns true when the list used the key. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
  readonly take: (suggestion: Suggestion) => void;
}

/** Longer words are not file names. */
const maxTyped = 1_000;

const noItems: ServerItems = { prompts: [], resources: [] };

interface CompletionParts {
  readonly state: WebviewState;
  readonly field: { readonly current: HTMLTextAreaElement | null };
  readonly caret: number;
}

/**
 * Suggests file names, commands, and prompts and resources of MCP servers, while the person types one. Arrows choose,
 * Enter and Tab accept, Escape closes. Enter on a command or prompt calls it at once; after Tab the person can type more.
 * `undefined`: there is nothing to suggest.
 */
export function useCompletion({ state, field, caret }: CompletionParts): Completion | undefined {
  const store = useStore();
  const { draft, panel, serverItems = noItems, foundFiles, pendingPrompt } = state;
  const hasServers = panel?.mcpServers.some(({ state: is }) => is !== 'off' && is !== 'needs_consent') ?? false;
  const isTyping = pendingPrompt === undefined && recalled(state) === undefined;
  const typing = isTyping ? nameAt(draft, Math.min(caret, draft.length)) : undefined;
  const hasFiles = typing?.kind === 'mention' && panel?.hasFolder === true;
  const isCall = typing?.kind === 'prompt';
  const name = hasServers || hasFiles || isCall ? typing : undefined;
  const [active, setActive] = useState(0);
  const [closedAt, setClosedAt] = useState<number>();
  const [nextCaret, setNextCaret] = useState<number>();
  const place = name && `${name.kind}${name.start}`;
  useLayoutEffect(() => {
    setClosedAt(undefined);
    if (place !== undefined && hasServers) store.post({ type: 'listServerItems' });
    // Prompt files may have changed since they were listed last.
    if (place !== undefined && isCall) store.post({ type: 'listCommands' });
  }, [place]);
  const typedFile = hasFiles ? typing.typed.slice(0, maxTyped) : undefined;
  useLayoutEffect(() => {
    if (typedFile !== undefined) store.post({ type: 'findFiles', typed: typedFile });
  }, [typedFile]);
  useLayoutEffect(() => setActive(0), [name?.typed]);
  useLayoutEffect(() => {
    if (nextCaret === undefined) return;
    field.current?.setSelectionRange(nextCaret, nextCaret);
    setNextCaret(undefined);
  }, [nextCaret]);
  if (name === undefined || closedAt === name.start) return undefined;

  const suggestions = suggest(
    name,
    serverItems,
    hasFiles ? foundFiles : undefined,
    isCall ? (state.commands ?? []).map(commandSuggestion) : hasFiles ? sourceSuggestions() : [],
  );
  const isListing = hasFiles && foundFiles?.typed === typedFile && foundFiles?.isPartial === true;
  const asksServers = suggestions.length === 0 && hasServers && state.serverItems === undefined;
  const waitsFor = isListing ? 'files' : asksServers ? 'servers' : undefined;
  const isWhole = suggestions.some((suggestion) => suggestion.name === draft.slice(name.start, name.end));
  if (waitsFor === undefined && (suggestions.length === 0 || isWhole)) return undefined;
  const chosen = Math.min(active, suggestions.length - 1);

  const complete = (suggestion: Suggestion): void => {
    const next = withName(draft, name, suggestion);
    store.setDraft(next.text);
    setNextCaret(next.caret);
    field.current?.focus();
  };
  const take = (suggestion: Suggestion): void => {
    complete(suggestion);
    // The host asks for the prompt's arguments and returns the server's text to the composer.
    if (name.kind === 'prompt') store.submit();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const suggestion = suggestions[chosen];
    switch (event.key) {
      case 'Escape':
        setClosedAt(name.start);
        return true;
      case 'ArrowDown':
      case 'ArrowUp':
        if (suggestion === undefined) return false;
        setActive((chosen + (event.key === 'ArrowDown' ? 1 : -1) + suggestions.length) % suggestions.length);
        return true;
      case 'Enter':
      case 'Tab':
        if (suggestion === undefined || event.shiftKey) return false;
        if (event.key === 'Tab') complete(suggestion);
        else take(suggestion);
        return true;
      default:
        return false;
    }
  };
  return { suggestions, waitsFor, active: chosen, onKeyDown, take };
}
