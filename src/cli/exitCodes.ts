/** The exit codes. `completed`: the run finished, and nothing was denied because nobody could be asked. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  wrongUsage: 2,
  /** Something needed an answer, and nobody could be asked. */
  unasked: 3,
  /** The run reached its limit of tool calls. */
  limit: 4,
  /** The answer does not match the schema. */
  invalidOutput: 5,
  /** Another process has the session open. */
  sessionInUse: 6,
  /** The session could not be written to its file. Counts more than the other codes. */
  unsaved: 7,
  interrupted: 130,
} as const;
