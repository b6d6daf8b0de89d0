import type { Locator } from 'playwright-core';

export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** What the page has, and Node has not. */
interface PageGlobals {
  readonly DataTransfer: new () => { readonly items: { add(file: File): void } };
  readonly ClipboardEvent: new (type: string, options: object) => Event;
  readonly DragEvent: new (type: string, options: object) => Event;
}

/** Pastes files into an element, or drops them there, as the browser does for a person. */
export async function giveFiles(element: Locator, way: 'paste' | 'drop', files: readonly GivenFile[]): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }));
  await element.evaluate(
    (target, [how, list]) => {
      const { DataTransfer, ClipboardEvent, DragEvent } = globalThis as unknown as PageGlobals;
      const data = new DataTransfer();
      for (const { name, type, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const common = { bubbles: true, cancelable: true };
      target.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...common, clipboardData: data })
          : new DragEvent('drop', { ...common, dataTransfer: data }),
      );
    },
    [way, given] as const,
  );
}
