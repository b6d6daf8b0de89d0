import type { PanelStore } from '../state/panelStore';
import { takesKeys, waitingQuestions } from './waitingQuestions';

/** The answer that a key means. `undefined`: another key. */
export function answerOfKey(event: KeyboardEvent): 'approve' | 'deny' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return undefined;
  if (event.key === 'Enter' && !event.shiftKey) return 'approve';
  return event.key === 'Backspace' && event.shiftKey ? 'deny' : undefined;
}

/**
 * Answers a question by a key: the one whose card has the focus, else the oldest. Then the next question has the focus, or
 * the composer. A question that takes no keys, or was not in view for long enough, is only shown. False: nothing waits.
 */
export function answerByKey(store: PanelStore, type: 'approve' | 'deny', nowMs: number): boolean {
  const { session, answeredRequests } = store.state;
  const waiting = waitingQuestions(session, answeredRequests);
  const focused = document.activeElement?.closest<HTMLElement>('[data-tool-use]')?.dataset['toolUse'];
  const question = waiting.find(({ toolUseId }) => toolUseId === focused) ?? waiting[0];
  if (!session || !question) return false;
  const { requestId, toolUseId } = question;
  const isReadable = question.kind !== 'edit' || question.unshownLines === undefined || type === 'deny';
  if (!takesKeys(question) || !isReadable || !store.sight.wasSeen(requestId, nowMs)) {
    showCard(toolUseId);
    return true;
  }
  const rest = waiting.filter((other) => other !== question);
  const next = rest.find((other) => waiting.indexOf(other) > waiting.indexOf(question)) ?? rest[0];
  store.answer({ type, sessionId: session.sessionId, requestId });
  // The folded card of the next question opens with this answer.
  if (next) requestAnimationFrame(() => showCard(next.toolUseId));
  else store.focusComposer();
  return true;
}

/** Scrolls to the card of a call and focuses it. Does nothing when the page has no such card. */
export function showCard(toolUseId: string): void {
  const cards = document.querySelectorAll<HTMLElement>('[data-tool-use]');
  const card = [...cards].findLast((element) => element.dataset['toolUse'] === toolUseId);
  (card?.querySelector('.approval-actions') ?? card)?.scrollIntoView({ block: 'nearest' });
  card?.querySelector<HTMLElement>('.tool-head')?.focus({ preventScroll: true });
}
