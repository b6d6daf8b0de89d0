import type { FromWebview } from '../../protocol/intents';

/** What survives hiding and showing the panel. */
export interface SavedState {
  readonly draft: string;
  /** False while the host has not been told of the draft: then this one is the newer. */
  readonly isDraftSent: boolean;
  readonly sessionId?: string | undefined;
  readonly scrollTop: number;
  /** True when the list was at its end and goes on following it. */
  readonly isFollowing: boolean;
}

interface VSCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VSCodeApi;

/** The typed way to the host. */
export interface HostLink {
  post(message: FromWebview): void;
  load(): SavedState | undefined;
  save(state: SavedState): void;
}

/** Takes hold of VS Code's API; works once for each load of the page. */
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
  const { draft, isDraftSent, sessionId, scrollTop, isFollowing } = value as Record<string, unknown>;
  if (typeof draft !== 'string' || typeof isDraftSent !== 'boolean') return undefined;
  if (typeof scrollTop !== 'number' || typeof isFollowing !== 'boolean') return undefined;
  return {
    draft,
    isDraftSent,
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    scrollTop,
    isFollowing,
  };
}
