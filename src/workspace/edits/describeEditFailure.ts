import { assertNever } from '../../util/assertNever';
import type { EditFailure } from './applyEdits';
import type { Region } from './nearestRegion';

/** Tells the model why its edits were refused and what to do. `count` is the number of edits in the batch. */
export function describeEditFailure(failure: EditFailure, file: string, count: number): string {
  const which = count === 1 ? 'old_text' : `old_text of edit ${failure.index + 1}`;
  const nothing = count === 1 ? 'Nothing was changed.' : `Nothing was changed: none of the ${count} edits was applied.`;
  switch (failure.reason) {
    case 'empty_old_text':
      return `${which} is empty. Quote the text to replace, or use write_file to write the whole file. ${nothing}`;
    case 'nothing_to_change':
      return `${which} and its new_text are the same. ${nothing}`;
    case 'ambiguous': {
      const shown = failure.lines.slice(0, 10);
      const more = failure.lines.length > shown.length ? ', …' : '';
      return `${which} occurs ${failure.lines.length} times in ${file}, at lines ${shown.join(', ')}${more}. Quote more lines around it so that it is unique. ${nothing}`;
    }
    case 'read_notice':
      return `"${failure.line}" is a note of read_file, not part of ${file}. Leave it out. ${nothing}`;
    case 'numbered':
      return `"${failure.line}" starts with a line number, which is not part of ${file}. Write new_text without the numbers. ${nothing}`;
    case 'placeholder':
      return `"${failure.line}" stands for code that would be lost. Write new_text in full, or edit smaller parts. ${nothing}`;
    case 'added_marks':
      return `new_text has ${failure.marks}, and ${which} has not. Write new_text without. If it belongs in ${file}, make it an edit of its own, or quote the line before it in both texts. ${nothing}`;
    case 'unclear': {
      const { nearest } = failure;
      return `${which} differs from ${file}, so the meant new_text is unclear. ${nothing} Quote ${span(nearest)} exactly:\n${numbered(nearest)}`;
    }
    case 'overlapping':
      return `Edits ${failure.otherIndex + 1} and ${failure.index + 1} change the same lines of ${file}. Make them one edit. ${nothing}`;
    case 'absent': {
      if (failure.isApplied) {
        return `${which} is not in ${file}, but its new_text is. The edit seems to be done already. ${nothing}`;
      }
      const { nearest } = failure;
      if (!nearest)
        return `${which} is not in ${file}, and nothing is similar. Read the file and quote it exactly. ${nothing}`;
      return `${which} is not in ${file}. ${nothing} Most similar: ${span(nearest)}:\n${numbered(nearest)}\nQuote the file exactly, with indentation and without the numbers.`;
    }
    default:
      return assertNever(failure);
  }
}

function span({ startLine, endLine }: Region): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

function numbered({ startLine, text }: Region): string {
  return text
    .split('\n')
    .map((line, index) => `${startLine + index}| ${line}`)
    .join('\n');
}
