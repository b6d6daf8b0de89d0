import * as l10n from '../util/l10n';
import type { Ref } from 'preact';
import { visibleText } from '../util/text/visibleText';
import { useStore } from './state/usePanel';
import { IconButton } from './controls/IconButton';
import { VisibleText } from './controls/VisibleText';

interface HeaderProperties {
  readonly title: string;
  readonly isListOpen: boolean;
  readonly onToggleList: () => void;
  readonly listButton: Ref<HTMLButtonElement>;
}

/** The session's title and the buttons for past sessions and a new one. */
export function Header({ title, isListOpen, onToggleList, listButton }: HeaderProperties) {
  const store = useStore();
  return (
    <header class="header">
      <h2 class="session-title" title={visibleText(title, 'prose')}>
        <VisibleText text={title} kind="prose" />
      </h2>
      <IconButton
        icon="history"
        label={l10n.t('Past Sessions')}
        isExpanded={isListOpen}
        onClick={onToggleList}
        buttonRef={listButton}
      />
      <IconButton
        icon="add"
        label={l10n.t('New Session')}
        onClick={() => {
          store.post({ type: 'newSession' });
          if (isListOpen) onToggleList();
          store.focusComposer();
        }}
      />
    </header>
  );
}
