import * as l10n from '../../util/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../controls/Button';
import { useStore } from '../state/usePanel';

interface EditorProperties {
  readonly sessionId: string;
  readonly promptId: string;
  readonly sentText: string;
  readonly text: string;
  readonly isRunning: boolean;
}

/** Edits a sent prompt in its place. Sending it goes back to before it. */
export function PromptEditor({ sessionId, promptId, sentText, text, isRunning }: EditorProperties) {
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const canSend = !isRunning && text.trim() !== '';
  const send = (): void => {
    if (canSend) store.post({ type: 'editPrompt', sessionId, promptId, text: text.trim() });
  };
  const close = (): void => {
    store.endEdit(promptId);
    store.focusComposer();
  };
  useLayoutEffect(() => {
    field.current?.focus();
  }, []);
  return (
    <div class="prompt-editor">
      <textarea
        dir="auto"
        ref={field}
        class="prompt-editor-field"
        rows={1}
        value={text}
        aria-label={l10n.t('Edit message')}
        onInput={(event) => store.setEdit({ sessionId, promptId, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.isComposing || event.keyCode === 229) return;
          // Escape never discards what was typed.
          if (event.key === 'Escape' && text === sentText) close();
          else if (event.key === 'Enter' && !event.shiftKey) send();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="button-row">
        <Button label={l10n.t('Send')} isDisabled={!canSend} onClick={send} />
        <Button label={l10n.t('Cancel')} kind="secondary" onClick={close} />
      </div>
    </div>
  );
}
