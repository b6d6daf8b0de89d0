import type { AgentErrorInfo } from '../../sdk/errors';

/** An error in the form of the OpenAI API. */
export interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly type: 'invalid_request_error' | 'server_error';
  readonly code?: string | undefined;
  /** The wrong field of the request. */
  readonly param?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

export function errorBody({ message, type, param, code }: Omit<ApiError, 'status'>): ErrorBody {
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

/** An error that the caller can fix. */
export function invalidRequest(
  message: string,
  more: { readonly status?: number; readonly code?: string; readonly param?: string } = {},
): ApiError {
  return { status: 400, type: 'invalid_request_error', message, ...more };
}

/** The error of a failed run. Only a conversation that is too long is the caller's fault. */
export function runError({ code, message }: AgentErrorInfo): ApiError {
  if (code === 'context_overflow') return invalidRequest(message, { code: 'context_length_exceeded' });
  const isOwn = code === 'invalid_state' || code === 'interrupted' || code === 'busy' || code === 'denied';
  const status = isOwn ? 500 : 502;
  return { status, type: 'server_error', message, code };
}
