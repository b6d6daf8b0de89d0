import type { SessionRegistry } from '../../agent/session/sessionRegistry';

export interface TidyParts {
  readonly registry: Pick<SessionRegistry, 'list' | 'delete'>;
  readonly isOnScreen: (sessionId: string) => boolean;
  /** How many stay, the newest. */
  readonly keep: number;
  /** Hears of one that could not be moved: another window may have it. */
  readonly onKept: (error: unknown) => void;
}

/**
 * Moves the oldest sessions that programs began to the trash: they come by the thousand, and a list that has them all is of
 * use to nobody. What runs, is on screen or was taken up by the person stays.
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
