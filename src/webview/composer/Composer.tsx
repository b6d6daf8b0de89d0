import * as l10n from '../../util/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PanelState } from '../../protocol/toWebview';
import { useStore, useWebviewState } from '../state/usePanel';
import { CompletionList, completionId, completionListId } from './CompletionList';
import { AttachImage } from '../images/AttachImage';
import { whyNoImages } from '../images/imageWords';
import { ContextMeter } from './ContextMeter';
import { PromptChips } from '../lazyViews';
import { nextInstructions } from './context/nextInstructions';
import { IconButton } from '../controls/IconButton';
import { ModelPicker } from './ModelPicker';
import { ModePicker } from './ModePicker';
import { useCompletion } from './useCompletion';
import { useRecall } from './useRecall';
import type { WebviewState } from '../state/webviewState';

interface ComposerProperties {
  readonly panel: PanelState;
  readonly isModelMenuOpen: boolean;
  readonly onModelMenu: (isOpen: boolean) => void;
}

/** The field for prompts. The text stays until the session shows it as a prompt. */
export function Composer({ panel, isModelMenuOpen, onModelMenu }: ComposerProperties) {
  const store = useStore();
  const state = useWebviewState();
  const field = useRef<HTMLTextAreaElement>(null);
  const { session, draft, pendingPrompt, returnedMessage, focusRequests } = state;
  const isRunning = session !== undefined && session.state !== 'idle';
  const keysHint = isRunning
    ? l10n.t('Enter sends with the next step, Alt+Enter after this run')
    : l10n.t('Enter sends, Shift+Enter starts a new line');
  const isPending = pendingPrompt !== undefined;
  const canAttach = whyNoImages(panel) === undefined;
  const hasText = draft.trim() !== '' || (canAttach && state.attached.length > 0);
  const [caret, setCaret] = useState(0);
  const completion = useCompletion({ state, field, caret });
  const hasList = completion !== undefined && completion.suggestions.length > 0;
  const earlier = useRecall(state, field);
  const noteCaret = (event: { readonly currentTarget: HTMLTextAreaElement }): void =>
    setCaret(event.currentTarget.selectionEnd);

  useLayoutEffect(() => {
    const element = field.current;
    if (focusRequests === 0 || element === null) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
    // No key or click tells about this move, and names are completed where the caret was last known to be.
    setCaret(element.value.length);
  }, [focusRequests]);

  return (
    <div class="composer">
      {returnedMessage !== undefined && (
        <div class="returned" role="alert">
          <p>{returnedMessage}</p>
          <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => store.dismissReturned()} />
        </div>
      )}
      <div class="composer-box">
        {hasChips(state) && <PromptChips panel={panel} instructions={nextInstructions(state)} />}
        {completion !== undefined && <CompletionList completion={completion} />}
        <textarea
          dir="auto"
          ref={field}
          class="composer-field"
          rows={1}
          value={draft}
          readOnly={isPending}
          aria-label={l10n.t('Message to Open Agent')}
          aria-describedby="composer-hint"
          aria-busy={isPending}
          placeholder={
            isRunning ? l10n.t('Add a message to this run') : l10n.t('Ask about your code, or say what to change')
          }
          aria-autocomplete="list"
          aria-controls={hasList ? completionListId : undefined}
          aria-activedescendant={hasList ? completionId(completion.active) : undefined}
          onInput={(event) => {
            noteCaret(event);
            store.setDraft(event.currentTarget.value);
          }}
          onKeyUp={noteCaret}
          onClick={noteCaret}
          onKeyDown={(event) => {
            if (isComposing(event)) return;
            if (completion?.onKeyDown(event)) {
              event.preventDefault();
              event.stopPropagation();
              return;
            }
            if (earlier.onKeyDown(event)) {
              event.preventDefault();
              return;
            }
            // Over an empty field, a key with Ctrl answers a question: see `answerByKey`.
            if (event.key !== 'Enter' || event.shiftKey || (draft === '' && event.ctrlKey)) return;
            event.preventDefault();
            store.submit(isRunning && event.altKey ? 'after_run' : undefined);
          }}
        />
        <span class="visually-hidden" role="status">
          {earlier.place}
        </span>
        <div class="composer-bar">
          <ModePicker mode={panel.agent.mode} modes={panel.agent.modes} />
          <ModelPicker
            panel={panel}
            isOpen={isModelMenuOpen}
            onOpen={() => onModelMenu(true)}
            onClose={() => onModelMenu(false)}
          />
          {canAttach && <AttachImage />}
          <div class="composer-end">
            <ContextMeter session={session} panel={panel} />
            <span class="composer-hint muted" id="composer-hint" title={keysHint}>
              {keysHint}
            </span>
            {isRunning && (
              <IconButton
                icon="debug-stop"
                label={session.state === 'stopping' ? l10n.t('Stopping') : l10n.t('Stop')}
                className="stop"
                isDisabled={session.state === 'stopping'}
                onClick={() => {
                  store.post({ type: 'stop', sessionId: session.sessionId });
                  field.current?.focus();
                }}
              />
            )}
            {(!isRunning || hasText) && (
              <IconButton
                icon={isPending ? 'loading' : 'send'}
                label={isRunning ? l10n.t('Send with the Next Step') : l10n.t('Send')}
                className={`send${isPending ? ' pending' : ''}`}
                isDisabled={!hasText || isPending}
                onClick={() => {
                  store.submit();
                  field.current?.focus();
                }}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Whether something goes or went with the message. A name may have been taken out of it. */
function hasChips(state: WebviewState): boolean {
  const { draft, contextChips, contextOffer, attached } = state;
  const count = contextChips.length + attached.length + nextInstructions(state).length;
  return count > 0 || contextOffer !== undefined || draft.includes('@');
}

/** While an input method composes, Enter belongs to it. Some methods report this only by the key code. */
function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
