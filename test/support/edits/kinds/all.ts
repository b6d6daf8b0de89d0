import { blankLineKinds } from './blankLines';
import { characterKinds } from './characters';
import { textOf, type Kind } from './kind';
import { batchKinds, lineKindsOfContent } from './lines';
import { misreadingKinds } from './misreadings';
import { newTextKinds } from './newTextOnly';
import { whitespaceKinds } from './whitespace';
import { wrappingKinds } from './wrapping';

const exact: Kind = {
  name: 'exact',
  expects: 'applied',
  write: ({ oldLines, newLines, end }) => [{ oldText: textOf(oldLines, end), newText: textOf(newLines, end) }],
};

/** All ways in which a model may write an edit. */
export const kinds: readonly Kind[] = [
  exact,
  ...whitespaceKinds,
  ...blankLineKinds,
  ...wrappingKinds,
  ...characterKinds,
  ...lineKindsOfContent,
  ...misreadingKinds,
  ...newTextKinds,
  ...batchKinds,
];
