import { useMemo, useRef, useState } from 'preact/hooks';
import type { SessionView, ViewItem } from '../../../agent/view/sessionView';
import { foldRows, type Row } from './foldRows';
import { nameOf } from './rowKeys';
import { once } from '../../../util/lazy';

interface Folds {
  readonly rows: readonly Row[];
  /** Opens or closes the line whose first card is `id`. */
  readonly toggle: (id: string) => void;
}

/** The last rows, and the cards that had a line in them: made when somebody asks. */
interface Folded {
  readonly rows: readonly Row[];
  readonly cards: () => ReadonlySet<ViewItem>;
}

/**
 * The rows of a session. A card that was drawn by itself stays while the person looks at it or has opened it; it folds
 * with the next change after that. `lookedAt`: the rows to keep, out of the rows drawn last. `kept`: the states of
 * `useKeptSwitch`. `savedRow`: the row at the place where an earlier page was.
 */
export function useFolds(
  session: SessionView,
  kept: ReadonlyMap<string, boolean>,
  lookedAt: (drawn: readonly Row[]) => readonly (Row | undefined)[],
  savedRow: string | undefined,
): Folds {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<Folded | undefined>(undefined);
  const isRunning = session.state !== 'idle';
  const rows = useMemo(() => {
    const { current } = last;
    const held = new Set(current || savedRow === undefined ? [] : [savedRow]);
    for (const row of current ? lookedAt(current.rows) : []) {
      if (row !== undefined && row.kind !== 'readings' && !current?.cards().has(row)) held.add(nameOf(row));
    }
    const isHeld = (item: ViewItem): boolean => {
      if (held.size === 0 && kept.size === 0) return false;
      const name = nameOf(item);
      return held.has(name) || (kept.get(name) === true && current?.cards().has(item) === false);
    };
    const next = foldRows(session.items, { isRunning, isHeld, isOpen: (id) => open.has(id) });
    last.current = { rows: next, cards: once(() => cardsIn(next)) };
    return next;
  }, [session.items, isRunning, open]);
  return {
    rows,
    toggle: (id) => {
      const next = new Set(open);
      if (!next.delete(id)) next.add(id);
      setOpen(next);
    },
  };
}

function cardsIn(rows: readonly Row[]): ReadonlySet<ViewItem> {
  return new Set(rows.flatMap((row) => (row.kind === 'readings' ? row.cards : [])));
}
