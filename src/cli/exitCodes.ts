/** What the process ends with. `completed` only when the run finished and nothing was left undone for want of an answer. */
export const exitCodes = {
  completed: 0,
  failed: 1,
  wrongUsage: 2,
  /** Something had to be asked, and nobody was there. */
  unasked: 3,
  /** The run came to its limit of tool calls. */
  limit: 4,
  /** The answer does not match the schema. */
  invalidOutput: 5,
  /** Another process has the session. */
  sessionInUse: 6,
  interrupted: 130,
} as const;
