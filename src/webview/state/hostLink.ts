import type { FromWebview } from '../../protocol/fromWebview';
import type { PromptEdit } from './promptEdits';

/** The state that survives hiding and showing the panel. */
export interface SavedState {
  readonly draft: string;
  /** False while the host does not know the draft. Then this draft is newer than the host's. */
  readonly isDraftSent: boolean;
  /** The draft that the host knew last. */
  readonly told?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly edits?: readonly PromptEdit[] | undefined;
  readonly scrollTop: number;
  /** True when the list was at its end and follows it. */
  readonly isFollowing: boolean;
  /** Unless it follows: the row at the top of the view, and the distance from its top in pixels. */
  readonly row?: string | undefined;
  readonly rowOffset?: number | undefined;
}

interface VSCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VSCodeApi;

/** The typed connection to the host. */
export interface HostLink {
  post(message: FromWebview): void;
  load(): SavedState | undefined;
  save(state: SavedState): void;
}

/**
 * Acquires VS Code's API. VS Code allows this once for each page load. `tab`: of a chat in an editor; VS Code gives it back to the
 * extension with the state after a reload.
 */
export function connectToHost(tab: string | undefined): HostLink {
  const api = acquireVsCodeApi();
  const saved = api.getState();
  const save = (state: object): void => api.setState(tab === undefined ? state : { ...state, tab });
  // Also a page without any other state is found again.
  if (tab !== undefined) save(typeof saved === 'object' && saved !== null ? saved : {});
  return { post: (message) => api.postMessage(message), load: () => readSavedState(saved), save };
}

function readSavedState(value: unknown): SavedState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { draft, isDraftSent, told, sessionId, edits, scrollTop, isFollowing, row, rowOffset } = value as Record<
    string,
    unknown
  >;
  if (typeof draft !== 'string' || typeof isDraftSent !== 'boolean') return undefined;
  if (typeof scrollTop !== 'number' || typeof isFollowing !== 'boolean') return undefined;
  return {
    draft,
    isDraftSent,
    told: typeof told === 'string' ? told : undefined,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    edits: Array.isArray(edits) ? edits.filter(isEdit) : [],
    scrollTop,
    isFollowing,
    ...(typeof row === 'string' && typeof rowOffset === 'number' && { row, rowOffset }),
  };
}

function isEdit(value: unknown): value is PromptEdit {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, promptId, text } = value as Record<string, unknown>;
  return [sessionId, promptId, text].every((part) => typeof part === 'string');
}
