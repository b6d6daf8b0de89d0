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

/** How many wrappings may be around each other. */
const MAX_DEPTH = 3;

/** Marks that a model writes once. A second fence, or two of three dashes, are text. */
const ONCE: ReadonlySet<Unwrapper> = new Set([withoutFence, withoutDiffSigns]);

/** All ways to read an edit without the marks that the model wrote around its texts or before their lines. */
export function unwrapped(edit: TextEdit): readonly TextEdit[] {
  const found: Unwrapped[] = [];
  let outer: readonly Unwrapped[] = [{ edit, left: UNWRAPPERS }];
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    outer = outer.flatMap(unwrap).filter((inner) => inner.edit.oldText !== '');
    found.push(...outer);
  }
  return found.map((one) => one.edit);
}

interface Unwrapped {
  readonly edit: TextEdit;
  /** What may still be taken off. */
  readonly left: readonly Unwrapper[];
}

function unwrap({ edit, left }: Unwrapped): readonly Unwrapped[] {
  return left.flatMap((one) => {
    const others = ONCE.has(one) ? left.filter((other) => other !== one) : left;
    return one(edit).map((inner) => ({ edit: inner, left: others }));
  });
}
