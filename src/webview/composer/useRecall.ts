import * as l10n from '../../util/l10n';
import { useLayoutEffect, useState } from 'preact/hooks';
import { recalled } from '../state/recall';
import { useStore } from '../state/usePanel';
import type { WebviewState } from '../state/webviewState';

interface EarlierPrompts {
  /** The place of the prompt on screen, for people who do not see it; `undefined`: it is no earlier one. */
  readonly place: string | undefined;
  /** Returns true when the key shows another prompt. */
  readonly onKeyDown: (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }) => boolean;
}

/**
 * Up and Down walk through the earlier prompts of the workspace: from the empty field, from the start of a text, and from
 * the first or last line of an earlier prompt.
 */
export function useRecall(
  state: WebviewState,
  field: { readonly current: HTMLTextAreaElement | null },
): EarlierPrompts {
  const store = useStore();
  const { draft, recall, pendingPrompt } = state;
  const shown = recalled(state);
  const [direction, setDirection] = useState<'older' | 'newer'>('older');
  const isWaiting = recall !== undefined && recall.prompts === undefined;
  useLayoutEffect(() => {
    if (shown === undefined) return;
    // The next press of the same key goes on.
    const lineEnd = draft.indexOf('\n');
    const caret = direction === 'older' && lineEnd >= 0 ? lineEnd : draft.length;
    field.current?.setSelectionRange(caret, caret);
  }, [shown?.index]);

  const onKeyDown: EarlierPrompts['onKeyDown'] = (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget: element } = event;
    if ((key !== 'ArrowUp' && key !== 'ArrowDown') || ctrlKey || metaKey || altKey || shiftKey) return false;
    if (pendingPrompt !== undefined || element.selectionStart !== element.selectionEnd) return false;
    const to = key === 'ArrowUp' ? 'older' : 'newer';
    const caret = element.selectionStart;
    const isWalking = shown !== undefined || isWaiting;
    const isAtEdge = !(to === 'older' ? draft.slice(0, caret) : draft.slice(caret)).includes('\n');
    const mayBegin = to === 'older' && caret === 0 && recall === undefined;
    if (isWalking ? !isAtEdge : !mayBegin) return false;
    setDirection(to);
    store.recall(to);
    return true;
  };
  const place = shown?.prompts && l10n.t('Earlier prompt {0} of {1}', shown.index + 1, shown.prompts.length);
  return { place, onKeyDown };
}
