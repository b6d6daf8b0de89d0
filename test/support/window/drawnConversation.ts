/**
 * An expression for the page of the panel: whether all visible rows of the conversation are on it. A list begins with the
 * next frame, and draws its rows a few at a time. A panel without a conversation misses none.
 */
export const isConversationDrawn = `(() => {
  const list = document.querySelector('.message-scroller');
  if (list === null) return true;
  if (list.getAttribute('aria-busy') === 'true') return false;
  const shown = list.getBoundingClientRect();
  return [...list.querySelectorAll('.row-gap')].every((gap) => {
    const { top, bottom } = gap.getBoundingClientRect();
    return Math.min(bottom, shown.bottom) - Math.max(top, shown.top) < 1;
  });
})()`;
