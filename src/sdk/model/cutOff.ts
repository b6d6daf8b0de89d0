/**
 * Why an answer did not end by itself. `unreadable`: the server could not read the rest of its model's output. Then the calls that are
 * complete count. In all other cases no call counts.
 */
export type CutOff = 'incomplete' | 'interrupted' | 'length' | 'unreadable';

/** The errors of calls that must not run, for the model. */
export const CUT_OFF_REASONS: Readonly<Record<CutOff, string>> = {
  incomplete: 'The answer was cut off before it was complete. This tool call was not executed.',
  interrupted: 'The answer was interrupted. This tool call was not executed.',
  length:
    'The answer reached its length limit inside a tool call, which was not executed. Make smaller calls, one at a time. ' +
    'Write a long file in parts.',
  unreadable: 'The server could not read the rest of the answer. This tool call was not executed. Call it again.',
};
