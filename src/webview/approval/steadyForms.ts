/** A person who aims needs about this long to see that something else came under the pointer. */
const SETTLE_MS = 500;
/** A button that moved by less still covers most of its place. */
const MIN_MOVE_PIXELS = 8;

interface Place {
  /** Of the form on the screen. Absent: not looked at yet. */
  readonly top?: number;
  readonly movedMs: number;
}

/**
 * Knows which approval forms have just moved on the screen. Where several questions wait, the answer to one moves the
 * others, and a click that was meant for the place must not answer the question that came there. Marks such forms with
 * `aria-disabled` until they have stayed for half a second. A place to which the person scrolled is steady.
 */
export class SteadyForms {
  readonly #forms = new Map<HTMLElement, Place>();
  /** Several forms were here since there was none. A single one can be mistaken for no other. */
  #areSeveral = false;

  /** Watches a form until the returned function is called. */
  add(form: HTMLElement): () => void {
    this.#forms.set(form, { movedMs: -Infinity });
    this.#areSeveral ||= this.#forms.size > 1;
    return () => {
      this.#forms.delete(form);
      if (this.#forms.size === 0) this.#areSeveral = false;
    };
  }

  /** To be called after everything that can move a form. */
  look(movedBy: 'page' | 'person'): void {
    for (const [form, { top: before, movedMs }] of this.#forms) {
      const { top } = form.getBoundingClientRect();
      const hasMoved = before !== undefined && Math.abs(top - before) >= MIN_MOVE_PIXELS;
      if (hasMoved && movedBy === 'page' && this.#areSeveral) {
        this.#forms.set(form, { top, movedMs: performance.now() });
        this.#mark(form);
      } else if (hasMoved || before === undefined) this.#forms.set(form, { top, movedMs });
    }
  }

  /** Whether a click on the form is meant for it. */
  isSteady(form: HTMLElement): boolean {
    return this.#restMs(form) <= 0;
  }

  #restMs(form: HTMLElement): number {
    return (this.#forms.get(form)?.movedMs ?? -Infinity) + SETTLE_MS - performance.now();
  }

  #mark(form: HTMLElement): void {
    if (form.ariaDisabled === 'true') return;
    form.ariaDisabled = 'true';
    const unmark = (): void => {
      const restMs = this.#restMs(form);
      if (restMs > 0) setTimeout(unmark, restMs);
      else form.removeAttribute('aria-disabled');
    };
    setTimeout(unmark, SETTLE_MS);
  }
}
