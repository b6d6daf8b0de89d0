/** Moves the focus in a list by arrow keys, Home and End. Returns false for other keys. */
export function moveFocus(key: string, list: HTMLElement | null, selector: string): boolean {
  const elements = [...(list?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const current = elements.findIndex((element) => element === document.activeElement);
  const next = nextIndex(key, current, elements.length);
  if (next === undefined) return false;
  elements[next]?.focus();
  return true;
}

function nextIndex(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(current + 1, count - 1);
    case 'ArrowUp':
      return Math.max(current - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
