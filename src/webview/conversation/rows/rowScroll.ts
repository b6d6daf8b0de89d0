import type { ScrollPlace } from '../../state/panelStore';
import { RowHeights } from './rowHeights';
import { covers, joinRanges, type RowRange } from './shownRows';

/** Within this distance the list counts as being at its end. */
const nearEndPixels = 32;
/** Rows this far outside of the visible part are on the page. They are drawn again when less than half is left. */
const aroundPixels = 500;
const maxRowsAround = 300;
/** Each drawing of a new list adds so much: more at once would block typing. The first one adds nothing. */
const stepPixels = 250;

/** The place to keep while heights change: the end, or a row and the distance from its top to the top of the view. */
type Place = { readonly kind: 'end' } | { readonly kind: 'row'; readonly key: string; readonly offset: number };

/** The scrolling of a list that has only some of its rows on the page. */
export class RowScroll {
  readonly heights = new RowHeights(estimatedHeight);
  #keys: readonly string[] = [];
  #place: Place = { kind: 'end' };
  /** The place is from an earlier page. It holds until the person scrolls. */
  #isRestoring = false;
  #anchorIndex = 0;
  #viewHeight = 0;
  #scrollTop = 0;
  #drawn: readonly RowRange[] = [];
  /** How far outside of the visible part the next drawing goes. Negative: not all of the visible part. */
  #reach: number;

  /** `viewHeight`: the likely height of the visible part, until it is measured. */
  constructor(viewHeight: number, saved: ScrollPlace | undefined) {
    this.#viewHeight = viewHeight;
    this.#reach = -viewHeight;
    if (saved === undefined || saved.isFollowing) return;
    this.#place = { kind: 'row', key: saved.row ?? '', offset: saved.rowOffset ?? saved.scrollTop };
    this.#isRestoring = true;
  }

  get isFollowing(): boolean {
    return this.#place.kind === 'end';
  }

  /** The place for the next page. */
  get saved(): ScrollPlace {
    const scrollTop = this.#scrollTop;
    if (this.#place.kind === 'end') return { scrollTop, isFollowing: true };
    return { scrollTop, isFollowing: false, row: this.#place.key, rowOffset: this.#place.offset };
  }

  setKeys(keys: readonly string[]): void {
    this.#keys = keys;
    this.heights.setKeys(keys);
  }

  /** The rows to draw: in the visible part or around it, those around it that are on the page, and the pinned ones. */
  draw(pinned: readonly RowRange[]): readonly RowRange[] {
    if (this.#reach > 0 && this.misses('visible')) this.#reach = 0;
    const around = this.#around(aroundPixels);
    const kept = this.#drawn.map(({ start, end }) => ({
      start: Math.max(start, around.start),
      end: Math.min(end, around.end),
    }));
    this.#drawn = joinRanges([this.#around(this.#reach), ...kept, ...pinned], this.#keys.length);
    this.#reach = Math.min(aroundPixels, this.#reach + stepPixels);
    return this.#drawn;
  }

  /** The rows in the visible part. */
  get visible(): RowRange {
    return this.#around(0);
  }

  /** Whether rows are missing on the page: those in the visible part that should be there by now, or those near it. */
  misses(part: 'visible' | 'near'): boolean {
    const { start, end } = this.#around(part === 'near' ? aroundPixels / 2 : Math.min(0, this.#reach - stepPixels));
    return start < end && !covers(this.#drawn, { start, end: Math.min(end, this.#keys.length) });
  }

  /** Takes the heights of rows on the page. Returns whether one has changed. */
  measure(rows: Iterable<readonly [index: number, height: number]>): boolean {
    let isChanged = false;
    for (const [index, height] of rows) isChanged = this.heights.measure(index, height) || isChanged;
    return isChanged;
  }

  /** Scrolls to the place that is kept. */
  hold(element: HTMLElement): void {
    this.#viewHeight = element.clientHeight;
    const top = this.isFollowing ? element.scrollHeight : this.#wantedTop();
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    this.#scrollTop = element.scrollTop;
  }

  /**
   * Takes a scroll position that no event has told yet, such as that of a focused row. To be called before rows on the
   * page change, because the position belongs to them. Returns whether there was one.
   */
  read(element: HTMLElement): boolean {
    const isNew = Math.abs(element.scrollTop - this.#scrollTop) >= 1;
    if (isNew) this.scrolled(element);
    return isNew;
  }

  /** The list was scrolled. Returns whether it follows the end now, or no longer. */
  scrolled(element: HTMLElement): boolean {
    if (this.#isRestoring) return false;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isUp = scrollTop < this.#scrollTop;
    this.#scrollTop = scrollTop;
    this.#viewHeight = clientHeight;
    const wasFollowing = this.isFollowing;
    if (scrollHeight - clientHeight - scrollTop <= nearEndPixels) this.#place = { kind: 'end' };
    else if (isUp || !wasFollowing) this.#keepRow(scrollTop);
    return this.isFollowing !== wasFollowing;
  }

  /** The person scrolls: a restored place no longer holds. */
  release(): void {
    this.#isRestoring = false;
  }

  follow(): void {
    this.#isRestoring = false;
    this.#place = { kind: 'end' };
  }

  /** Stays at the visible row. */
  stay(): void {
    if (this.isFollowing) this.#keepRow(this.#scrollTop);
  }

  #keepRow(scrollTop: number): void {
    const index = this.#firstShown(scrollTop);
    this.#anchorIndex = index;
    this.#place = { kind: 'row', key: this.#keys[index] ?? '', offset: scrollTop - this.heights.top(index) };
  }

  /** The first visible row on the page. Where only a gap is visible, the row that belongs there. */
  #firstShown(scrollTop: number): number {
    const first = this.heights.at(scrollTop);
    const range = this.#drawn.find(({ end }) => end > first);
    if (range === undefined || range.start <= first) return first;
    return this.heights.top(range.start) < scrollTop + this.#viewHeight ? range.start : first;
  }

  #wantedTop(): number {
    if (this.#place.kind === 'end') return Math.max(0, this.heights.total - this.#viewHeight);
    const { key, offset } = this.#place;
    if (this.#keys[this.#anchorIndex] !== key) {
      const found = this.#keys.indexOf(key);
      if (found >= 0) this.#anchorIndex = found;
    }
    return Math.max(0, this.heights.top(Math.min(this.#anchorIndex, this.#keys.length)) + offset);
  }

  /** Rows of the visible part and `pixels` around it. Negative: without so much, from where the list is held. */
  #around(pixels: number): RowRange {
    if (pixels <= -this.#viewHeight) return { start: 0, end: 0 };
    const top = this.#wantedTop();
    const [above, below] = this.isFollowing ? [pixels, Math.max(0, pixels)] : [Math.max(0, pixels), pixels];
    const start = this.heights.at(top - above);
    const end = this.heights.at(top + this.#viewHeight + below) + 1;
    return { start: Math.max(start, end - maxRowsAround), end };
  }
}

/** Typical heights in a narrow panel. */
function estimatedHeight(key: string): number {
  if (key.startsWith('text ')) return 150;
  if (key.startsWith('prompt ')) return 70;
  return key.startsWith('notice ') ? 60 : 36;
}
