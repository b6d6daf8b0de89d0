/** A walk through earlier prompts, which are shown in the composer. */
export interface Recall {
  /** Newest first. Absent until the host has sent them. */
  readonly prompts?: readonly string[] | undefined;
  /** The prompt on screen, from 0. */
  readonly index: number;
  /** The text that was in the composer before. */
  readonly draft: string;
}

/** The part of the panel's state that a walk changes. */
interface Composing {
  readonly draft: string;
  readonly recall?: Recall | undefined;
}

/** The earlier prompt on screen, as it was sent; `undefined`: none, or the person has changed it. */
export function recalled({ draft, recall }: Composing): Recall | undefined {
  return recall?.prompts?.[recall.index] === draft ? recall : undefined;
}

/** Shows the prompt before the one on screen, `'older'`, or the one after it. Ends with the text from before. */
export function walk<S extends Composing>(state: S, to: 'older' | 'newer'): S {
  const { draft, recall } = state;
  if (!recall) return to === 'older' ? { ...state, recall: { index: 0, draft } } : state;
  const index = recall.index + (to === 'older' ? 1 : -1);
  if (index < 0) return { ...state, draft: recall.draft, recall: undefined };
  return show(state, { ...recall, index });
}

/** Begins the walk that waits for these prompts. Does nothing if the person has typed since. */
export function takePrompts<S extends Composing>(state: S, prompts: readonly string[]): S {
  const { draft, recall } = state;
  if (!recall || recall.prompts) return state;
  // The text from before comes back at the end anyway.
  const others = prompts.filter((prompt) => prompt !== draft.trim());
  if (draft !== recall.draft || others.length === 0) return { ...state, recall: undefined };
  return show(state, { ...recall, prompts: others });
}

/** The state after the person typed `draft`. A changed prompt stays; the text from before comes back once it was sent. */
export function takeTyped<S extends Composing>(state: S, draft: string): S {
  const keepsText = state.recall?.prompts !== undefined && state.recall.draft.trim() !== '';
  return { ...state, draft, recall: keepsText ? state.recall : undefined };
}

/** The text that is lost if nobody keeps it. An earlier prompt is on file. */
export function unsentText(state: Composing): string {
  const { draft, recall } = state;
  if (!recall?.prompts) return draft;
  if (recalled(state)) return recall.draft;
  return [recall.draft, draft].filter((text) => text.trim() !== '').join('\n\n');
}

function show<S extends Composing>(state: S, recall: Recall): S {
  const { prompts } = recall;
  if (!prompts) return { ...state, recall };
  const index = Math.min(recall.index, prompts.length - 1);
  return { ...state, recall: { ...recall, index }, draft: prompts[index] ?? state.draft };
}
