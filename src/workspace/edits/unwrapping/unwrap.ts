import type { TextEdit } from '../textEdit';
import { withoutDiffSigns } from './diffSigns';
import { withoutFence } from './fence';
import { withoutMarkers } from './markers';
import { withoutNumbers } from './numbers';
import { withoutQuotationMarks } from './quotationMarks';
import { withoutTags } from './tags';

/**
 * Takes one wrapping off both texts of an edit, in all possible ways. None if the old text does not have this wrapping,
 * or if the new text has only parts of it. A new text without any of it stays as it is.
 */
type Unwrapper = (edit: TextEdit) => readonly TextEdit[];

const UNWRAPPERS: readonly Unwrapper[] = [
  withoutFence,
  withoutTags,
  withoutMarkers,
  withoutDiffSigns,
  withoutNumbers,
  withoutQuotationMarks,
];

const MAX_DEPTH = 3;

/** All ways to read an edit without the marks that the model wrote around its texts or before their lines. */
export function unwrapped(edit: TextEdit): readonly TextEdit[] {
  const found: TextEdit[] = [];
  let outer: readonly TextEdit[] = [edit];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    outer = outer.flatMap((one) => UNWRAPPERS.flatMap((unwrap) => unwrap(one))).filter(({ oldText }) => oldText !== '');
    found.push(...outer);
  }
  return found;
}
