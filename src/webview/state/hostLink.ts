import type { FromWebview } from '../../protocol/fromWebview';
import type { PromptEdit } from './promptEdits';

/** The state that survives hiding and showing the panel. */
export interface SavedState {
  readonly draft: string;
  /** False while the host does not know the draft. Then this draft is newer than the host's. */
  readonly isDraftSent: boolean;
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

/** Acquires VS Code's API. VS Code allows this once for each page load. */
export function connectToHost(): HostLink {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    load: () => readSavedState(api.getState()),
    save: (state) => api.setState(state),
  };
}

function readSavedState(value: unknown): SavedState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { draft, isDraftSent, sessionId, edits, scrollTop, isFollowing, row, rowOffset } = value as Record<
    string,
    unknown
  >;
  if (typeof draft !== 'string' || typeof isDraftSent !== 'boolean') return undefined;
  if (typeof scrollTop !== 'number' || typeof isFollowing !== 'boolean') return undefined;
  return {
    draft,
    isDraftSent,
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
