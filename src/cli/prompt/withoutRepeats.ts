import type { SessionEvent } from '../../agent/view/sessionEvents';

type Show = (event: SessionEvent) => void;

/**
 * Wraps `show` so that people read each failure and warning once. A notice repeats a warning or a failure for the panel's
 * buttons, and the error of a run may repeat the warning about its cut answer. Such a warning waits until the run goes on or
 * ends.
 */
export function withoutRepeats(show: Show): Show {
  const told = new Set<string>();
  let held: { readonly event: SessionEvent; readonly message: string } | undefined;
  const release = (): void => {
    const waiting = held;
    held = undefined;
    if (waiting) show(waiting.event);
  };
  return (event) => {
    if (event.type === 'agent') {
      const { event: said } = event;
      if (said.type === 'run_start') told.clear();
      if (said.type === 'run_end' && said.error?.message === held?.message) held = undefined;
      if (said.type !== 'usage' && said.type !== 'step_end') release();
      if (said.type === 'warning') {
        told.add(said.message);
        if (said.code === 'incomplete_response') {
          held = { event, message: said.message };
          return;
        }
      }
    }
    if (event.type === 'failed') {
      release();
      told.add(event.error.message);
    }
    if (event.type === 'notice' && event.notice.promptId === undefined && told.has(event.notice.message)) return;
    show(event);
  };
}
