import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import type { ModelStatus, PromptProgress, ToolOutcome } from '../../sdk/events';
import type { AgentErrorCode } from '../../sdk/errors';
import type { ToolResultContent, Usage } from '../../sdk/messages';
import type { JsonObject } from '../../util/json';

export const CLI_EVENTS_VERSION = 1;

/**
 * A line of `--output json`, without `v` (`CLI_EVENTS_VERSION`) and `ts` (milliseconds since the epoch). The first line is
 * `session`, the last `result`. The same version may gain types and fields: readers ignore unknown ones.
 */
export type CliEvent =
  | {
      readonly type: 'session';
      readonly sessionId: string;
      /** Absolute. */
      readonly folder: string;
      readonly isResumed: boolean;
    }
  | { readonly type: 'run_start'; readonly prompt: string; readonly model: string; readonly baseUrl: string }
  /** A piece of the answer or the reasoning, while it streams. */
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** The text of a whole response; empty when it only calls tools. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'tool_output'; readonly id: string; readonly text: string }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly outcome: ToolOutcome;
      /** The result that the model gets. */
      readonly content: ToolResultContent;
    }
  /** A call was denied because nobody could be asked. `reason`: why it needed an answer. */
  | {
      readonly type: 'denied';
      readonly id: string;
      readonly kind: ApprovalSummary['kind'];
      /** The command, the file, or server and tool. */
      readonly subject: string;
      readonly reason: string;
    }
  | { readonly type: 'status'; readonly status: ModelStatus; readonly detail?: string | undefined }
  /** How much of the prompt the server has read, in tokens. Only from servers that report it. */
  | ({ readonly type: 'progress' } & PromptProgress)
  | ({ readonly type: 'usage' } & Usage)
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly maxRetries: number;
      readonly delayMs: number;
      readonly message: string;
      /** The server is gone: how long it was waited for until now, and at most. Absent: another failure. */
      readonly waitedMs?: number | undefined;
      readonly longestMs?: number | undefined;
    }
  | { readonly type: 'compaction'; readonly tokensBefore: number; readonly tokensAfter: number }
  /** What the run changed and checked, in lines for people. */
  | { readonly type: 'summary'; readonly message: string }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'error'; readonly code: AgentErrorCode; readonly message: string }
  | {
      readonly type: 'result';
      /** The state of the session. `IDLE`: the run reached its limit. */
      readonly status: 'FINISHED' | 'IDLE' | 'ERROR' | 'CANCELED';
      /** The exit code of the process. */
      readonly exitCode: number;
      /** The text of the last response; empty when there was none. */
      readonly answer: string;
      /** With `--output-schema`: the answer as a value that matches the schema. */
      readonly output?: unknown;
    };

/** Writes an event as one line. Escapes characters that a terminal acts on. */
export function cliEventLine(event: CliEvent, ts: number): string {
  return `${safeJson({ v: CLI_EVENTS_VERSION, ts, ...event })}\n`;
}

/** JSON on one line without raw control characters. It parses to the same value. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** JSON allows these raw in a string: DEL, C1 controls, and separators that some readers treat as line ends. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;
