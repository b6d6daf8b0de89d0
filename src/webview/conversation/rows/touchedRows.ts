import { rowsOfSelection, type RowRange } from './shownRows';

/** The rows that the person works in. */
interface TouchedRows {
  /** The row with the focus. Absent: the focus is elsewhere. */
  readonly focused?: number;
  /** Absent: nothing is selected. */
  readonly selected?: RowRange;
}

/** `keys`: of the rows that the page shows. */
export function touchedRows(list: HTMLElement | null, keys: readonly string[]): TouchedRows {
  if (list === null) return {};
  const place = (node: Node | null): number => keys.indexOf(keyOf(node, list) ?? '');
  const focused = place(document.activeElement);
  const selection = document.getSelection();
  const isSelecting = selection !== null && !selection.isCollapsed;
  const [one, other] = isSelecting ? [place(selection.anchorNode), place(selection.focusNode)] : [-1, -1];
  return {
    ...(focused >= 0 && { focused }),
    ...(one >= 0 && other >= 0 && { selected: rowsOfSelection(one, other) }),
  };
}

/** The key of the row that holds a node of the list. */
function keyOf(node: Node | null, list: HTMLElement): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]');
  return row && list.contains(row) ? row.dataset['key'] : undefined;
}
