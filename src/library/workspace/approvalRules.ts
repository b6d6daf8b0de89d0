/**
 * Rules as texts. `deny` beats `ask`, and `ask` beats `allow`. `edit:GLOB` is about edits of files, `tool:NAME` about every call of
 * a tool, and any other text about commands: `npm test`, or `git log *` with any further words.
 */
export interface ApprovalRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}
