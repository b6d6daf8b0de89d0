import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Completion } from './useCompletion';
import { VisibleText } from '../controls/VisibleText';

export const completionListId = 'composer-completions';

/** The element id of one suggestion, which the focused field refers to. */
export function completionId(index: number): string {
  return `${completionListId}-${index}`;
}

/** The suggestions for the prompt. The focus stays in the field. */
export function CompletionList({ completion }: { readonly completion: Completion }) {
  const { suggestions, isWaiting, active, take } = completion;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (isWaiting) {
    return (
      <div class="menu completions" role="status">
        <p class="menu-none muted">Asking the MCP servers…</p>
      </div>
    );
  }
  return (
    <>
      <div class="menu completions" role="listbox" aria-label="Suggestions" id={completionListId} ref={list}>
        {suggestions.map((suggestion, index) => (
          <div
            key={suggestion.name}
            id={completionId(index)}
            class={`menu-item completion${index === active ? ' is-active' : ''}`}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => {
              // Keeps the focus in the field.
              event.preventDefault();
              take(suggestion);
            }}
          >
            <span class="completion-name">
              <VisibleText text={suggestion.name} kind="path" maxCharacters={200} />
            </span>{' '}
            <span class="completion-detail muted">
              <VisibleText text={suggestion.detail} kind="path" maxCharacters={200} />
            </span>
          </div>
        ))}
      </div>
      <div class="visually-hidden" role="status">
        {suggestions.length === 1 ? '1 suggestion' : `${suggestions.length} suggestions`}. Choose with the arrow keys,
        accept with Enter.
      </div>
    </>
  );
}
