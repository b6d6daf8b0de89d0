import type { SessionRegistry } from '../../agent/session/sessionRegistry';

export interface TidyParts {
  readonly registry: Pick<SessionRegistry, 'list' | 'delete'>;
  readonly isOnScreen: (sessionId: string) => boolean;
  /** How many of the newest sessions stay. */
  readonly keep: number;
  /** Called when a session cannot be moved: another window may have it open. */
  readonly onKept: (error: unknown) => void;
}

/**
 * Moves the oldest sessions of programs to the trash, so that the list stays usable. Keeps sessions that run, that are on
 * screen, or that the person has continued.
 */
export async function tidySessions({ registry, isOnScreen, keep, onKept }: TidyParts): Promise<void> {
  const served = (await registry.list()).filter(({ isServed, isTakenUp }) => isServed && !isTakenUp);
  for (const { id, isRunning } of served.slice(keep)) {
    if (isRunning || isOnScreen(id)) continue;
    try {
      await registry.delete(id);
    } catch (error) {
      onKept(error);
    }
  }
}
