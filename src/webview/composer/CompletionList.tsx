import * as l10n from '../../util/l10n';
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
  const { suggestions, waitsFor, active, take } = completion;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const wait = waitsFor && <p class="menu-none muted">{waitText(waitsFor)}</p>;
  if (suggestions.length === 0) {
    return (
      <div class="menu completions" role="status">
        {wait}
      </div>
    );
  }
  return (
    <>
      <div class="menu completions" role="listbox" aria-label={l10n.t('Suggestions')} id={completionListId} ref={list}>
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
              <VisibleText text={suggestion.label ?? suggestion.name} kind="path" maxCharacters={200} />
            </span>{' '}
            <span class="completion-detail muted">
              <VisibleText text={suggestion.detail} kind="path" maxCharacters={200} />
            </span>
          </div>
        ))}
        {wait}
      </div>
      <div class="visually-hidden" role="status">
        {suggestions.length === 1
          ? l10n.t('1 suggestion. Choose with the arrow keys, accept with Enter.')
          : l10n.t('{0} suggestions. Choose with the arrow keys, accept with Enter.', suggestions.length)}
        {waitsFor && ` ${waitText(waitsFor)}`}
      </div>
    </>
  );
}

function waitText(waitsFor: 'servers' | 'files'): string {
  return waitsFor === 'servers' ? l10n.t('Asking the MCP servers…') : l10n.t('Looking for more files…');
}
