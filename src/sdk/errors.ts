import { messageOf } from '../util/errors';

/** What went wrong. Programs decide by it; people read the message. */
export type AgentErrorCode =
  /** Nothing answers at the URL. */
  | 'connection'
  /** No URL is set, and no server was found on this machine. */
  | 'no_server'
  /** 401 or 403. */
  | 'unauthorized'
  /** 404: a wrong path or model. */
  | 'not_found'
  /** 429. */
  | 'rate_limited'
  /** Another 4xx. */
  | 'bad_request'
  /** 5xx. */
  | 'server_error'
  /** HTML, or JSON of another shape. */
  | 'not_openai_compatible'
  /** The prompt does not fit. */
  | 'context_overflow'
  /** Cut or malformed after the first byte. */
  | 'stream_broken'
  /** Other requests leave no room for this one. */
  | 'server_full'
  /** The connection broke during an answer of a server that is worth waiting for. */
  | 'server_gone'
  /** The server gave up waiting for its model. */
  | 'model_loading'
  /** No byte for the allowed time. */
  | 'silent'
  /** The answer does not match `outputSchema`, even after corrections. */
  | 'invalid_output'
  /** The model repeated itself and was stopped. */
  | 'loop_detected'
  /** An empty answer, or twice only thinking and no text. */
  | 'no_answer'
  /** `interrupt()` or an abort signal. */
  | 'interrupted'
  /** A UserPromptSubmit hook denied the prompt. */
  | 'denied'
  /** The client has used all of its turns. */
  | 'max_turns'
  /** Another run executes. */
  | 'busy'
  /** The caller's mistake: an option. */
  | 'invalid_options'
  /** The caller's mistake: a call at the wrong time. */
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

/**
 * Why a turn ended or a call was refused. `cause` is what led to it: the system's error, the server's answer, or what a hook
 * threw.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  /** What went wrong, for programs. */
  readonly code: AgentErrorCode;
  /** The HTTP status, when the server answered. */
  readonly status: number | undefined;
  readonly #info: AgentErrorInfo;

  /** `options.cause` wins over the cause of `info`. */
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
