import { matchEdit, type MatchStepName, type Replacement, type TextEdit } from './matchEdit';
import { findNearestRegion, lineAt, type Region } from './nearestRegion';
import { withLineEnds } from './lineEnds';

/** Why a batch was refused; `index` counts its edits from 0. Lines count from 1. */
export type EditFailure =
  | { readonly reason: 'empty_old_text'; readonly index: number }
  | { readonly reason: 'nothing_to_change'; readonly index: number }
  | { readonly reason: 'ambiguous'; readonly index: number; readonly lines: readonly number[] }
  | {
      readonly reason: 'absent';
      readonly index: number;
      readonly nearest: Region | undefined;
      /** The new text is there already: the edit was probably made before. */
      readonly isApplied: boolean;
    }
  | { readonly reason: 'overlapping'; readonly index: number; readonly otherIndex: number };

export type EditResult =
  | { readonly ok: true; readonly text: string; readonly steps: readonly MatchStepName[] }
  | { readonly ok: false; readonly failure: EditFailure };

/**
 * Applies a batch of edits, all or nothing. Every edit is looked for in the text as it was; only where that fails is the
 * batch taken as a sequence, each edit on the outcome of the one before, since models mean either.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): EditResult {
  for (const [index, edit] of edits.entries()) {
    if (edit.oldText === '') return { ok: false, failure: { reason: 'empty_old_text', index } };
    if (withLineEnds(edit.oldText, '\n') === withLineEnds(edit.newText, '\n')) {
      return { ok: false, failure: { reason: 'nothing_to_change', index } };
    }
  }
  const atOnce = applyAtOnce(text, edits);
  if (atOnce.ok || edits.length === 1) return atOnce;
  const inSequence = applyInSequence(text, edits);
  return inSequence.ok ? inSequence : atOnce;
}

function applyAtOnce(text: string, edits: readonly TextEdit[]): EditResult {
  const places: { readonly index: number; readonly replacement: Replacement }[] = [];
  const steps: MatchStepName[] = [];
  for (const [index, edit] of edits.entries()) {
    const match = matchEdit(text, edit);
    if (match.kind !== 'found') return { ok: false, failure: explain(text, edit, index, match) };
    places.push({ index, replacement: match.replacement });
    steps.push(match.step);
  }
  places.sort((a, b) => a.replacement.start - b.replacement.start);
  let result = '';
  let position = 0;
  let previousIndex = 0;
  for (const { index, replacement } of places) {
    if (replacement.start < position) {
      return { ok: false, failure: { reason: 'overlapping', index, otherIndex: previousIndex } };
    }
    result += text.slice(position, replacement.start) + replacement.text;
    position = replacement.end;
    previousIndex = index;
  }
  return { ok: true, text: result + text.slice(position), steps };
}

function applyInSequence(text: string, edits: readonly TextEdit[]): EditResult {
  let current = text;
  const steps: MatchStepName[] = [];
  for (const [index, edit] of edits.entries()) {
    const match = matchEdit(current, edit);
    if (match.kind !== 'found') return { ok: false, failure: explain(current, edit, index, match) };
    const { start, end, text: replacement } = match.replacement;
    current = current.slice(0, start) + replacement + current.slice(end);
    steps.push(match.step);
  }
  return { ok: true, text: current, steps };
}

function explain(
  text: string,
  edit: TextEdit,
  index: number,
  match: { readonly kind: 'ambiguous'; readonly starts: readonly number[] } | { readonly kind: 'absent' },
): EditFailure {
  if (match.kind === 'ambiguous') {
    return { reason: 'ambiguous', index, lines: match.starts.map((start) => lineAt(text, start)) };
  }
  const newText = withLineEnds(edit.newText, '\n').trim();
  const isApplied = newText.length >= MIN_TELLING_LENGTH && withLineEnds(text, '\n').includes(newText);
  return { reason: 'absent', index, nearest: findNearestRegion(text, edit.oldText), isApplied };
}

/** A shorter new text, such as `}`, is in most files and says nothing. */
const MIN_TELLING_LENGTH = 12;
