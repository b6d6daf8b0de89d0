import type { CompactionOptions } from '../context/compactionOptions';
import type { Hooks, PreToolUseHook } from '../hooks';
import type { Message } from '../messages';
import type { ModelProvider, ReplayReasoning } from '../model/modelProvider';
import type { OutputSchema } from '../schema/structuredOutput';
import type { Tool } from '../tool';
import type { SamplingOptions } from './samplingOptions';

/**
 * The options of a client. Only `model` and `baseUrl` are required. Of the sampling, `maxTokens` is 4096 and `temperature`
 * 0.7 unless they are set; `null`: not sent, the server decides.
 */
export interface AgentOptions extends SamplingOptions {
  /** Default: none. */
  readonly systemPrompt?: string | undefined;
  /** The server's name of the model. */
  readonly model: string;
  /** URL of the server: `http://localhost:8080`, with or without `/v1`. Or a short name: see `providerUrls`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. Empty or absent: no header. */
  readonly apiKey?: string | undefined;
  /** The key of `resolveConfiguration`. Only sent to the origin of its URL, and only without `apiKey`. */
  readonly key?: { readonly baseUrl: string; readonly value: string } | undefined;
  /** The warning of `resolveConfiguration`, for the caller to show. Without effect here. */
  readonly warning?: string | undefined;
  /**
   * Sent as a header with each request, so that a gateway keeps the conversation on one server, whose prompt cache then holds.
   * Letters, digits, `.`, `_`, `:` and `-`, at most 128. Without effect with a `provider`. Default: no header.
   */
  readonly sessionId?: string | undefined;
  /** A private certificate authority for https, besides the usual ones: PEM text, or the path of a PEM file. */
  readonly ca?: string | undefined;
  /** Sent with every request, in this order. Default: none. */
  readonly tools?: readonly Tool[] | undefined;
  /**
   * Names of the tools that the model may use. Absent: all of `tools`. Others are not sent, and their calls are
   * refused.
   */
  readonly allowedTools?: readonly string[] | undefined;
  /** Names of tools that the model may not use, even when allowed. */
  readonly disallowedTools?: readonly string[] | undefined;
  /**
   * Executes the tools until the final answer. Default: false, the caller executes them (see `Client.addToolResult`).
   */
  readonly autoExecuteTools?: boolean | undefined;
  /** How many responses with tool calls a run may have before it ends with the outcome `limit`. Default: 5. */
  readonly maxToolIterations?: number | undefined;
  /**
   * How often the model may make the same call and get the same result before the run ends with `loop_detected`. The model
   * is told from the third time on. `null`: no limit and no hint, for tools that poll. Default: 5, at least 2.
   */
  readonly maxRepeatedCalls?: number | null | undefined;
  /**
   * `required`: the first response to a prompt must call a tool, where the server can enforce that. Default: `auto`.
   */
  readonly toolChoice?: 'auto' | 'required' | undefined;
  /** How many prompts the client accepts. Default: any number. */
  readonly maxTurns?: number | undefined;
  /** How long the server may be silent before the request fails, in milliseconds. `null`: no limit. Default: 60,000. */
  readonly timeoutMs?: number | null | undefined;
  /**
   * How often a request that failed before its first byte is repeated: no connection, 408, 409, 429, 5xx. Default: 2.
   */
  readonly maxRetries?: number | undefined;
  /** Called around prompts and tool calls. */
  readonly hooks?: Hooks | undefined;
  /** Always the last PreToolUse hook. */
  readonly approvalHook?: PreToolUseHook | undefined;
  /** The schema of the final answer: see `OutputSchema`. The model corrects answers that do not match. */
  readonly outputSchema?: OutputSchema | undefined;
  /** How many final answers that do not match `outputSchema` are sent back. Default: 2. */
  readonly maxOutputCorrections?: number | undefined;
  /** Messages to continue from. Default: none. */
  readonly history?: readonly Message[] | undefined;
  /** Keeps the conversation within the context window. Absent: nothing is left out. */
  readonly compaction?: CompactionOptions | undefined;
  /** Which of its own thinking the model gets again. Default: `auto`. */
  readonly replayReasoning?: ReplayReasoning | undefined;
  /** Replaces the OpenAI-compatible provider for `baseUrl`. Used unchanged: see `withRetry` for retries. */
  readonly provider?: ModelProvider | undefined;
  /** Repairs arguments that are complete but not quite JSON. Default: true. */
  readonly allowLenientToolJson?: boolean | undefined;
}
