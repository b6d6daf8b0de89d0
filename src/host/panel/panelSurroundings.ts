import type { WorkspaceMemory } from '../workspace/memory';

/** What differs between the chats of a window. */
export interface PanelSurroundings {
  readonly memory: WorkspaceMemory;
  /** Brings the chat on screen and the focus into it. */
  readonly reveal: () => Promise<void>;
  /** The page is on screen, or no longer. */
  readonly setWatched: (isWatched: boolean) => void;
  readonly showRunning: (isRunning: boolean) => void;
  readonly showFocused: (isFocused: boolean) => void;
  /** Whether another chat of the window has this session. */
  readonly isElsewhere: (sessionId: string) => boolean;
  /** The open session was closed: it is deleted, or opened anew. */
  readonly sessionClosed: (sessionId: string) => Promise<void>;
}
