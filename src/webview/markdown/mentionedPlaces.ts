import * as l10n from '../../util/l10n';
import { MAX_PLACE_NAMES } from '../../agent/view/messageLimits';
import type { NamedPlace, ToWebview } from '../../protocol/toWebview';
import { visibleText } from '../../util/text/visibleText';

interface MentionedPlacesParts {
  readonly ask: (names: readonly string[]) => void;
  readonly onNextFrame: (task: () => void) => void;
}

/**
 * Turns the parts of answers that name a file or a symbol into links, once the host has found it. Asks at most once a frame, and
 * once for each name while no message is added to the conversation.
 */
export class MentionedPlaces {
  readonly #parts: MentionedPlacesParts;
  /** By the name in the answer. */
  readonly #found = new Map<string, NamedPlace>();
  readonly #asked = new Set<string>();
  readonly #waiting = new Set<string>();
  readonly #watched = new Set<Element>();

  constructor(parts: MentionedPlacesParts) {
    this.#parts = parts;
  }

  /** Draws the links below a finished block, now or once they are found. Returns a function that ends this. */
  watch(block: Element): (() => void) | undefined {
    if (!this.#draw(block)) return undefined;
    this.#watched.add(block);
    return () => void this.#watched.delete(block);
  }

  receive({ places }: ToWebview & { readonly type: 'places_found' }): void {
    for (const place of places) this.#found.set(place.name, place);
    if (places.length > 0) for (const block of this.#watched) this.#draw(block);
  }

  /** A name without a file may have one now. It is asked for when it comes up again. */
  forgetMissing(): void {
    this.#asked.clear();
  }

  /** Asks again for all names on the page that have no file. */
  lookAgain(): void {
    this.forgetMissing();
    for (const block of this.#watched) this.#draw(block);
  }

  /** Another session may be of another time. */
  reset(): void {
    this.#found.clear();
    this.forgetMissing();
  }

  /** Returns whether the block names a file that is not found. */
  #draw(block: Element): boolean {
    let isOpen = false;
    for (const element of block.querySelectorAll<HTMLElement>('[data-mention]')) {
      const name = element.dataset['mention'] ?? '';
      const place = this.#found.get(name);
      if (place === undefined) this.#want(name);
      else makeLink(element, place);
      isOpen ||= place === undefined;
    }
    return isOpen;
  }

  #want(name: string): void {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    this.#waiting.add(name);
    if (this.#waiting.size === 1) this.#parts.onNextFrame(() => this.#askWaiting());
  }

  #askWaiting(): void {
    const names = [...this.#waiting].slice(0, MAX_PLACE_NAMES);
    for (const name of names) this.#waiting.delete(name);
    this.#parts.ask(names);
    if (this.#waiting.size > 0) this.#parts.onNextFrame(() => this.#askWaiting());
  }
}

function makeLink(element: HTMLElement, { path, line: declared }: NamedPlace): void {
  const link = document.createElement('a');
  link.setAttribute('role', 'link');
  link.tabIndex = 0;
  link.title = l10n.t('Open {0}', visibleText(path, 'path') + (declared === undefined ? '' : `:${declared}`));
  link.dataset['file'] = path;
  const { line = declared } = element.dataset;
  if (line !== undefined) link.dataset['line'] = String(line);
  delete element.dataset['mention'];
  delete element.dataset['line'];
  element.replaceWith(link);
  link.append(element);
}
