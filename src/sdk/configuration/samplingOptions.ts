import type { JsonObject } from '../../util/json';

/** How the model writes its answers. `null` and absent: not sent, the server decides. */
export interface SamplingOptions {
  /** 0 or more. */
  readonly temperature?: number | null | undefined;
  /** From 0 to 1. */
  readonly topP?: number | null | undefined;
  /** 0 or more. */
  readonly topK?: number | null | undefined;
  /** Length of an answer in tokens, 1 or more. */
  readonly maxTokens?: number | null | undefined;
  /** `low`, `medium`, `high`, or another value that the server knows. */
  readonly reasoningEffort?: string | null | undefined;
  /** Whether the model should think before it answers, for templates with `enable_thinking`. */
  readonly thinking?: boolean | null | undefined;
  /** Extra fields of the body, such as `min_p` or `chat_template_kwargs`. Not those that the client itself sets. */
  readonly extraBody?: JsonObject | null | undefined;
}
