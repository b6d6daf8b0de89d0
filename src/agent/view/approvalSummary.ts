/** A question about a call as a screen shows it while it is open. */
export type ApprovalSummary = EditApproval | CommandApproval | ReadApproval | McpApproval | ExtensionApproval;

interface ApprovalShared {
  readonly requestId: string;
  readonly toolUseId: string;
  /** Why it asks, for people. */
  readonly reason: string;
  /** It could run programs or reveal secrets: the button that allows it must not have the focus. */
  readonly isSensitive?: boolean | undefined;
  /** Edits only: it names a protected file or has a warning, so it is not accepted together with others. */
  readonly needsOwnAnswer?: boolean | undefined;
  /** Who asked, if not the panel: a program, or VS Code's chat. */
  readonly askedBy?: 'endpoint' | 'chat' | undefined;
  /** Rules that the person can allow from now on. Absent: none. */
  readonly remember?: RememberSummary | undefined;
}

export interface RememberSummary {
  /** As texts. */
  readonly rules: readonly string[];
  /** Commands only: the folder where the rules will hold; `.` for the workspace folder. */
  readonly folder?: string | undefined;
  /** For how long. */
  readonly scopes: readonly ('session' | 'workspace')[];
}

export interface EditApproval extends ApprovalShared {
  readonly kind: 'edit';
  /** The file; of several, the first. */
  readonly displayPath: string;
  /** Several files, which are accepted or rejected together. Absent: one. */
  readonly files?: readonly string[] | undefined;
  /** Of an edit of several files, such as `Rename total to sum`. */
  readonly title?: string | undefined;
  readonly operation: 'edit' | 'create' | 'overwrite';
  /** Unified diff of the proposal, bounded. */
  readonly diff: string;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Lines of the change that `diff`, or `hunks` where there are some, leaves out. Absent: none. */
  readonly unshownLines?: number | undefined;
  /** In order. Absent where there is only one, or too many to decide about each. */
  readonly hunks?: readonly HunkSummary[] | undefined;
  /** Dangers to check before it is accepted, one sentence each. */
  readonly warnings?: readonly string[] | undefined;
  /** The person can accept ordinary edits for the rest of the run. */
  readonly offersAcceptEdits?: boolean | undefined;
}

export interface CommandApproval extends ApprovalShared {
  readonly kind: 'command';
  /** The whole command. */
  readonly command: string;
  /** The folder it runs in. */
  readonly displayPath: string;
  /** The programs that its parts start, in their order. Absent where they are not known for certain. */
  readonly programs?: readonly string[] | undefined;
  /** Why a program that it starts is not known, one sentence each. */
  readonly unknownPrograms?: readonly string[] | undefined;
  /** What must not be overlooked: one sentence each, with the words of the command that it is about. Absent: nothing. */
  readonly dangers?: readonly { readonly text: string; readonly words: readonly string[] }[] | undefined;
  /** Unusual ways in which it runs, a few words each. */
  readonly conditions?: readonly string[] | undefined;
}

export interface ReadApproval extends ApprovalShared {
  readonly kind: 'read';
  readonly displayPath: string;
}

export interface McpApproval extends ApprovalShared {
  readonly kind: 'mcp';
  readonly server: string;
  readonly tool: string;
  /** All arguments, as JSON over several lines. */
  readonly arguments: string;
}

export interface ExtensionApproval extends ApprovalShared {
  readonly kind: 'extension';
  /** The extension's id; `null`: VS Code itself. */
  readonly extension: string | null;
  readonly tool: string;
  /** All arguments, as JSON over several lines. */
  readonly arguments: string;
}

export interface HunkSummary {
  /** Unified diff of this hunk alone, bounded. */
  readonly diff: string;
  readonly state: HunkState;
}

/** `open`: nobody has decided. An `open` hunk is applied with the edit, as an `accepted` one is. */
export type HunkState = 'open' | 'accepted' | 'rejected';

export type ApprovalOutcome = 'allowed' | 'allowed_with_changes' | 'denied' | 'expired';
