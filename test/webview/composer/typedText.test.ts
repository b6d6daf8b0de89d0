import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Drafts } from '../../../src/host/panel/prompt/drafts';
import type { FromWebview } from '../../../src/protocol/fromWebview';
import { firstDraft } from '../../../src/webview/state/firstDraft';
import type { SavedState } from '../../../src/webview/state/hostLink';
import { PanelStore } from '../../../src/webview/state/panelStore';
import { MemoryOfWorkspace } from '../../support/sessions/memoryOfWorkspace';
import { readyPanel } from '../support/webviewPage';

/** What can happen to the text in the composer. */
type Step =
  | { readonly kind: 'type' | 'tell' | 'add' | 'show' | 'change' | 'miss' }
  /** `isHeard`: what the page says while it closes arrives. */
  | { readonly kind: 'hide'; readonly isHeard: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(...(['type', 'tell', 'add', 'show', 'change', 'miss'] as const).map((kind) => ({ kind }))),
  fc.boolean().map((isHeard): Step => ({ kind: 'hide', isHeard })),
);

/** A page that comes and goes, with the part of the host that keeps drafts. */
class Window {
  readonly drafts = new Drafts({ memory: new MemoryOfWorkspace(), onInternalError: (error) => assert.ifError(error) });
  readonly words: string[] = [];
  #saved: SavedState | undefined;
  #store: PanelStore | undefined;
  #isHeard = true;
  #seq = 0;

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'show':
        return this.show();
      case 'type':
        return this.#store?.setDraft(`${this.#store.state.draft}${this.#nextWord()} `);
      case 'tell':
        return this.#store?.flushDraft();
      case 'add': {
        const text = `@${this.#nextWord()}`;
        await this.drafts.add(text);
        this.#store?.receive({ type: 'text_added', seq: this.#next(), text });
        return;
      }
      case 'change':
        return this.#store?.receive({ type: 'panel_changed', seq: this.#next(), panel: readyPanel });
      case 'miss':
        // The page asks for a snapshot.
        this.#next();
        return this.#store?.receive({ type: 'panel_changed', seq: this.#next(), panel: readyPanel });
      case 'hide':
        this.#isHeard = step.isHeard;
        this.#store?.beforeUnload();
        this.#store = undefined;
        this.#isHeard = true;
    }
  }

  show(): void {
    if (this.#store) return;
    const store = new PanelStore({
      host: {
        // What a closed page still does reaches nobody.
        post: (message) => (this.#store === store ? this.#receive(message) : undefined),
        load: () => this.#saved,
        save: (state) => (this.#saved = structuredClone(state)),
      },
      onNextFrame: () => {},
    });
    this.#store = store;
    store.start();
  }

  get text(): string {
    return this.#store?.state.draft ?? '';
  }

  #receive(message: FromWebview): void {
    if (!this.#isHeard) return;
    if (message.type === 'saveDraft') void this.drafts.saveDraft(message.text);
    if (message.type === 'ready' || message.type === 'needSnapshot') {
      const snapshot = { type: 'snapshot', seq: this.#next(), panel: readyPanel, draft: this.drafts.draft } as const;
      this.#store?.receive(snapshot);
    }
  }

  #nextWord(): string {
    const word = `word${this.words.length}.`;
    this.words.push(word);
    return word;
  }

  #next(): number {
    this.#seq += 1;
    return this.#seq;
  }
}

describe('the typed text', () => {
  it('is never lost, whatever happens to the page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const window = new Window();
        window.show();
        for (const each of steps) {
          // Nobody types into a page that is not there.
          if (each.kind === 'type') window.show();
          await window.take(each);
        }
        window.show();
        const lost = window.words.filter((word) => !window.text.includes(word));
        assert.deepEqual(lost, [], `of ${window.words.join(' ')} there is: ${window.text}`);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps what the host added to it, and drops what has arrived as a prompt', () => {
    const cases: readonly (readonly [own: string, told: string | undefined, host: string, expected: string])[] = [
      ['', undefined, 'host', 'host'],
      ['', 'told', '', 'told'],
      ['newer', undefined, 'older', 'newer'],
      ['old and new', 'old', 'old', 'old and new'],
      ['old and new', 'old', 'old @a.ts ', 'old and new @a.ts '],
      ['old and new', 'old', 'A failed prompt\n\nold', 'A failed prompt\n\nold and new'],
      ['new', 'old', 'from elsewhere', 'from elsewhere\n\nnew'],
      ['sent', 'sen', 'sen', ''],
      ['sent', 'sen', 'another', 'another'],
    ];
    for (const [own, told, host, expected] of cases)
      assert.equal(firstDraft({ own, told, host }, new Set(['sent'])), expected, JSON.stringify([own, told, host]));
  });
});
