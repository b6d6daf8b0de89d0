import type { SessionView } from '../../agent/view/sessionView';

/** A sent prompt that the person edits in its place. */
export interface PromptEdit {
  readonly sessionId: string;
  readonly promptId: string;
  readonly text: string;
}

interface Editing {
  readonly edits: readonly PromptEdit[];
  readonly draft: string;
  readonly session?: SessionView | undefined;
}

/** The edits with one added or changed. */
export function withEdit(edits: readonly PromptEdit[], edit: PromptEdit): readonly PromptEdit[] {
  return [...withoutEdit(edits, edit.promptId), edit];
}

/** The edits without the one of this prompt. */
export function withoutEdit(edits: readonly PromptEdit[], promptId: string): readonly PromptEdit[] {
  return edits.filter((edit) => edit.promptId !== promptId);
}

/**
 * Ends the edits whose text arrived as a prompt. The text of an edit goes to the composer when its prompt has left the
 * conversation on screen.
 */
export function settleEdits<S extends Editing>(state: S, arrived: readonly string[]): S {
  const { edits, session } = state;
  if (edits.length === 0 || !session) return state;
  let { draft } = state;
  const open = edits.filter(({ sessionId, promptId, text }) => {
    if (sessionId !== session.sessionId) return true;
    if (arrived.includes(text.trim())) return false;
    if (session.items.some(({ kind, id }) => kind === 'prompt' && id === promptId)) return true;
    if (text.trim() !== '' && draft.trim() !== text.trim()) draft = draft.trim() === '' ? text : `${text}\n\n${draft}`;
    return false;
  });
  return open.length === edits.length ? state : { ...state, edits: open, draft };
}
