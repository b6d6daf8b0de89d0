import { messageOf } from '../util/errors';

/**
 * `connection`: nothing answers at the URL · `unauthorized`: 401 or 403 · `not_found`: 404, wrong path or model ·
 * `rate_limited`: 429 · `bad_request`: another 4xx · `server_error`: 5xx · `not_openai_compatible`: HTML or JSON of another shape ·
 * `context_overflow`: the prompt does not fit · `stream_broken`: cut or malformed after the first byte ·
 * `server_full`: other requests leave no room for this one · `server_gone`: the connection broke during an answer of a
 * server that is worth waiting for · `model_loading`: the server gave up waiting for its model · `silent`: no byte for the allowed time ·
 * `invalid_output`: the answer does not match `outputSchema`, even after corrections · `loop_detected`: the model
 * repeated itself and was stopped · `no_answer`: only thinking and no text, twice · `interrupted`: `interrupt()` or an
 * abort signal · `denied`: a UserPromptSubmit hook denied the prompt · `max_turns`: the client has used all of its turns ·
 * `busy`: another run executes · `invalid_options`, `invalid_state`: the caller's mistake.
 */
export type AgentErrorCode =
  | 'connection'
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'bad_request'
  | 'server_error'
  | 'not_openai_compatible'
  | 'context_overflow'
  | 'stream_broken'
  | 'server_full'
  | 'server_gone'
  | 'model_loading'
  | 'silent'
  | 'invalid_output'
  | 'loop_detected'
  | 'no_answer'
  | 'interrupted'
  | 'denied'
  | 'max_turns'
  | 'busy'
  | 'invalid_options'
  | 'invalid_state';

/** Plain data of an `AgentError`, for events, files and screens. */
export interface AgentErrorInfo {
  readonly code: AgentErrorCode;
  /** Names the URL, model or field, and the way out. */
  readonly message: string;
  /** The HTTP status, when the server answered. */
  readonly status?: number | undefined;
  /**
   * With `context_overflow`, where the server names them: the size of the context window and of the prompt, in tokens.
   */
  readonly contextLimit?: number | undefined;
  readonly promptTokens?: number | undefined;
  /** The server failed, or its connection broke, after it had begun to answer. */
  readonly during?: 'answer' | undefined;
  /**
   * What led to the error, for `AgentError.cause`. Set by `withCause`: files, messages and copies do not have it.
   */
  readonly cause?: unknown;
}

/** The same error with its cause, which is not enumerable, so that the error stays plain data. */
export function withCause(info: AgentErrorInfo, cause: unknown): AgentErrorInfo {
  return Object.defineProperty({ ...info }, 'cause', { value: cause, enumerable: false });
}

export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly code: AgentErrorCode;
  readonly status: number | undefined;
  readonly #info: AgentErrorInfo;

  constructor(info: AgentErrorInfo, options?: { readonly cause?: unknown }) {
    const { cause } = options?.cause === undefined ? info : options;
    super(info.message, cause === undefined ? undefined : { cause });
    this.code = info.code;
    this.status = info.status;
    this.#info = info;
  }

  /** The plain-data form, without what is absent. */
  toInfo(): AgentErrorInfo {
    const { code, message, status, contextLimit, promptTokens, during } = this.#info;
    const plain = {
      code,
      message,
      ...(status !== undefined && { status }),
      ...(contextLimit !== undefined && { contextLimit }),
      ...(promptTokens !== undefined && { promptTokens }),
      ...(during !== undefined && { during }),
    };
    return this.cause === undefined ? plain : withCause(plain, this.cause);
  }
}

/** Plain data of any error. One that is no `AgentError` is the caller's mistake or a bug. */
export function errorInfoOf(error: unknown): AgentErrorInfo {
  if (error instanceof AgentError) return error.toInfo();
  return withCause({ code: 'invalid_state', message: messageOf(error) }, error);
}
