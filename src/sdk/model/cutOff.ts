/** Why an answer did not end by itself. */
export type CutOff = 'incomplete' | 'interrupted' | 'length';

/** The errors of calls that must not run, for the model. */
export const CUT_OFF_REASONS: Readonly<Record<CutOff, string>> = {
  incomplete: 'The answer was cut off before it was complete. This tool call was not executed.',
  interrupted: 'The answer was interrupted. This tool call was not executed.',
  length:
    'The answer reached its length limit inside a tool call, which was not executed. Make smaller calls, one at a time. ' +
    'Write a long file in parts.',
};
