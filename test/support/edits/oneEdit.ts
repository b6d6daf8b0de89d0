import assert from 'node:assert/strict';
import { applyEdits } from '../../../src/workspace/edits/applyEdits';

/** An edit that the engine must not make: its name, the text of the file, the quote and the new text. */
export type RefusedEdit = readonly [name: string, text: string, oldText: string, newText: string];

/** An edit that the engine makes, with the whole text of the file afterwards. */
export type MadeEdit = readonly [name: string, text: string, oldText: string, newText: string, expected: string];

/** A test that the edit is refused. */
export function itRefuses([name, text, oldText, newText]: RefusedEdit): void {
  it(`is refused: ${name}`, () => assert.equal(apply(text, oldText, newText), undefined));
}

/** A test that the edit is made, and gives the expected text. */
export function itMakes([name, text, oldText, newText, expected]: MadeEdit): void {
  it(name, () => assert.equal(apply(text, oldText, newText), expected));
}

/** The whole text afterwards; `undefined` if the edit was refused. */
function apply(text: string, oldText: string, newText: string): string | undefined {
  const result = applyEdits(text, [{ oldText, newText }]);
  if (result.ok) return result.text;
  assert.match(result.failure.reason, /^(?:unclear|absent|ambiguous|added_marks)$/);
  return undefined;
}
