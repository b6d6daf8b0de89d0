import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import type { ModelStatus, ToolOutcome } from '../../sdk/events';
import type { AgentErrorCode } from '../../sdk/errors';
import type { ToolResultContent, Usage } from '../../sdk/messages';
import type { JsonObject } from '../../util/json';

export const CLI_EVENTS_VERSION = 1;

/**
 * A line of `--output json`, without `v` (`CLI_EVENTS_VERSION`) and `ts` (milliseconds since the epoch), which each has.
 * New types and fields may come with the same version: readers pass over what they do not know. The first line is
 * `session`, the last `result`.
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
  /** A piece of what the model says, as it comes. */
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** A whole response without its thoughts and calls; empty when it only calls tools. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'tool_output'; readonly id: string; readonly text: string }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly outcome: ToolOutcome;
      /** What the model is told. */
      readonly content: ToolResultContent;
    }
  /** Nobody was there to ask: what it was about, and why it had to be asked. */
  | {
      readonly type: 'denied';
      readonly id: string;
      readonly kind: ApprovalSummary['kind'];
      /** The command, the file, or server and tool. */
      readonly subject: string;
      readonly reason: string;
    }
  | { readonly type: 'status'; readonly status: ModelStatus; readonly detail?: string | undefined }
  | ({ readonly type: 'usage' } & Usage)
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly maxRetries: number;
      readonly delayMs: number;
      readonly message: string;
    }
  | { readonly type: 'compaction'; readonly tokensBefore: number; readonly tokensAfter: number }
  | { readonly type: 'warning'; readonly message: string }
  | { readonly type: 'error'; readonly code: AgentErrorCode; readonly message: string }
  | {
      readonly type: 'result';
      /** How the session stands. `IDLE`: the run came to its limit. */
      readonly status: 'FINISHED' | 'IDLE' | 'ERROR' | 'CANCELED';
      /** What the process ends with. */
      readonly exitCode: number;
      /** The text of the last response; empty when there was none. */
      readonly answer: string;
      /** With `--output-schema`: the answer as a value that matches it. */
      readonly output?: unknown;
    };

/** The event as a line, with everything escaped that a terminal could act on. */
export function cliEventLine(event: CliEvent, ts: number): string {
  return `${safeJson({ v: CLI_EVENTS_VERSION, ts, ...event })}\n`;
}

/** JSON on one line without raw control characters: the same value for a parser, harmless on a screen. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** What JSON lets stand in a string: DEL, the C1 controls, and the separators that some readers take for line ends. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;
