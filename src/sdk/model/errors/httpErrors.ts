import * as l10n from '../../../util/l10n';
import { isJsonObject, parseJson } from '../../../util/json';
import { readContextLimit } from './contextLimit';
import { withoutKey } from '../../../util/text/withoutKey';
import { hasMeaning } from './wordings';
import { withCause, type AgentErrorCode, type AgentErrorInfo } from '../../errors';

/** An unexpected answer of a server. */
export interface HttpAnswer {
  readonly url: string;
  readonly status: number;
  /** The body as text, or its beginning. */
  readonly body: string;
  /** The `location` header of a redirect. */
  readonly location?: string | undefined;
  readonly model?: string | undefined;
  readonly hasApiKey?: boolean | undefined;
  /** Whether the model had begun to answer. Then the request was accepted. */
  readonly during?: 'answer' | undefined;
  /** False: nothing was given to a model, so the error is not about that. Default: true. */
  readonly hasPrompt?: boolean | undefined;
}

/** How many characters of a server's body an error message repeats. */
const MAX_BODY_LENGTH = 2_000;
const MAX_EXCERPT_LENGTH = 200;

/** Turns an answer with an error status, or an error inside a stream (status 200), into an error. The cause has the body. */
export function describeHttpError(answer: HttpAnswer): AgentErrorInfo {
  const { url, status, body } = answer;
  return withCause(infoOf(answer), new Error(`${url} answered ${status}: ${cut(body, MAX_BODY_LENGTH)}`));
}

function infoOf(answer: HttpAnswer): AgentErrorInfo {
  const { url, status, body } = answer;
  const said = serverMessage(body);
  const quoted = said === '' ? l10n.t('It gave no reason.') : l10n.t('It says: {0}', said);
  const error = (code: AgentErrorCode, message: string): AgentErrorInfo => ({ code, message, status });

  if (status >= 300 && status < 400) {
    const target = answer.location === undefined ? l10n.t('another address') : withoutCredentials(answer.location);
    return error(
      'not_openai_compatible',
      l10n.t(
        '{0} redirects to {1}. Redirects are not followed, so that a key goes nowhere else: set that address as the base URL if you trust it.',
        url,
        target,
      ),
    );
  }
  if (isHtml(body)) {
    const code =
      status === 401 || status === 403 ? 'unauthorized' : status >= 500 ? 'server_error' : 'not_openai_compatible';
    return error(
      code,
      l10n.t(
        '{0} answered {1} with a web page, not with JSON: "{2}". Check the base URL: it should lead to a model server\'s API and usually ends in /v1.',
        url,
        status,
        said,
      ),
    );
  }
  const hasPrompt = answer.hasPrompt !== false;
  if (hasPrompt && isContextOverflow(body)) {
    const message = l10n.t(
      "The conversation does not fit into the model's context window at {0}. {1}{2}",
      url,
      quoted,
      sizesIn(body, said),
    );
    const { contextWindow, promptTokens } = readContextLimit(message);
    return {
      ...error('context_overflow', message),
      ...(contextWindow !== undefined && { contextLimit: contextWindow }),
      ...(promptTokens !== undefined && { promptTokens }),
    };
  }
  const isUnreadable = hasPrompt && hasMeaning('unreadable', `${said} ${body.slice(0, MAX_BODY_LENGTH)}`);
  if (answer.during === 'answer' || (isUnreadable && status >= 400)) {
    const what =
      status >= 400
        ? l10n.t('The server at {0} failed while it answered ({1}).', url, status)
        : l10n.t('The server at {0} failed while it answered.', url);
    const failed = error('server_error', `${what} ${quoted}`);
    return answer.during ? { ...failed, during: answer.during } : failed;
  }
  if (status === 401 || status === 403) {
    const way =
      answer.hasApiKey === true ? l10n.t('Check the API key.') : l10n.t('The server needs an API key: set one.');
    return error('unauthorized', `${l10n.t('{0} refused access ({1}).', url, status)} ${way} ${quoted}`);
  }
  if (isModelLoading(status, body) || /timed out waiting for .*(?:runner|server|model)/i.test(said)) {
    return error(
      'model_loading',
      `${l10n.t('The server at {0} has not loaded its model ({1}).', url, status)} ${quoted} ${l10n.t('Try again in a while.')}`,
    );
  }
  if (status === 404) {
    const wayOut =
      answer.model === undefined
        ? l10n.t('Check the base URL, which usually ends in /v1.')
        : l10n.t(
            'Check the base URL, which usually ends in /v1, and that the server has the model "{0}".',
            answer.model,
          );
    return error('not_found', `${l10n.t('{0} was not found (404).', url)} ${quoted} ${wayOut}`);
  }
  if (status >= 500)
    return error('server_error', `${l10n.t('The server at {0} failed ({1}).', url, status)} ${quoted}`);
  if (status === 429)
    return error(
      'rate_limited',
      `${l10n.t('{0} has too much to do (429).', url)} ${quoted} ${l10n.t('Try again in a while.')}`,
    );
  if (status >= 400) return error('bad_request', `${l10n.t('{0} rejected the request ({1}).', url, status)} ${quoted}`);
  return error('server_error', `${l10n.t('The server at {0} reported an error while it answered.', url)} ${quoted}`);
}

/** Turns a rejection of `fetch` before any answer into an error. */
export function describeFetchError(error: unknown, request: { readonly url: string }): AgentErrorInfo {
  const { url } = request;
  const { code, message } = rootCause(error);
  const reason = CONNECTION_REASONS[code] ?? (isCertificateProblem(code) ? 'certificate' : undefined);
  const { host, hostname } = new URL(url);
  const texts = {
    refused: () =>
      l10n.t(
        'Cannot reach {0}: the connection was refused. Is the model server running, and does it listen at {1}?',
        url,
        host,
      ),
    unknown_host: () => l10n.t('Cannot reach {0}: there is no host named {1}. Check the base URL.', url, hostname),
    unreachable: () =>
      l10n.t('Cannot reach {0}: {1} does not answer. Check the address, the network and the firewall.', url, host),
    reset: () =>
      l10n.t(
        "{0} closed the connection before it answered. See the server's log; it may have crashed or been restarted.",
        url,
      ),
    protocol: () =>
      l10n.t(
        '{0} does not speak HTTP as expected ({1}). Check the port, and whether it is http:// or https://.',
        url,
        message,
      ),
    certificate: () =>
      l10n.t(
        "Cannot reach {0}: the certificate of {1} is not trusted ({2}). Name the PEM file of its authority (openAgent.certificateAuthority in VS Code, --ca on the command line), or add it to the system's or to NODE_EXTRA_CA_CERTS.",
        url,
        host,
        message,
      ),
  };
  return withCause(
    { code: 'connection', message: reason ? texts[reason]() : l10n.t('Cannot reach {0}: {1}', url, message) },
    error,
  );
}

/** The error for a connection that ended before the answer. `error` is the rejection of the read, if any. */
export function describeStreamFailure(error: unknown, request: { readonly url: string }): AgentErrorInfo {
  const { url } = request;
  if (error === undefined) {
    return {
      code: 'stream_broken',
      message: l10n.t("{0} ended the connection without an answer. Look at the server's log, then try again.", url),
    };
  }
  const { code, message } = rootCause(error);
  const reason = code === '' ? message : code;
  const info: AgentErrorInfo = {
    code: 'stream_broken',
    during: 'answer',
    message: l10n.t(
      'The connection to {0} broke during the answer ({1}). The server may have crashed or been restarted; try again.',
      url,
      reason,
    ),
  };
  return withCause(info, error);
}

/** The error for a body that is not a chat completion. */
export function describeForeignBody(answer: {
  readonly url: string;
  readonly status: number;
  readonly body: string;
}): AgentErrorInfo {
  if (isHtml(answer.body) || isContextOverflow(answer.body)) return describeHttpError({ ...answer });
  const excerpt = cut(collapse(answer.body), MAX_EXCERPT_LENGTH);
  const info: AgentErrorInfo = {
    code: 'not_openai_compatible',
    status: answer.status,
    message:
      excerpt === ''
        ? l10n.t(
            "{0} answered {1} with nothing in it. Check the base URL, and the server's log.",
            answer.url,
            answer.status,
          )
        : l10n.t(
            '{0} answered with something that is not a chat completion: "{1}". Check the base URL: it usually ends in /v1.',
            answer.url,
            excerpt,
          ),
  };
  return withCause(info, new Error(`${answer.url} answered ${answer.status}: ${cut(answer.body, MAX_BODY_LENGTH)}`));
}

/** The sizes that llama-server sends beside its message. Some versions name none in the message. */
function sizesIn(body: string, said: string): string {
  const window = /"n_ctx"\s*:\s*(\d+)/.exec(body)?.[1];
  if (window === undefined || said.includes(window)) return '';
  const prompt = /"n_prompt_tokens"\s*:\s*(\d+)/.exec(body)?.[1];
  return prompt === undefined ? ` (n_ctx ${window})` : ` (n_prompt_tokens ${prompt}, n_ctx ${window})`;
}

/** The parts of a server's answer without the key. A very short key is not removed, because it could be any word. */
export function answerWithoutKey(body: string, apiKey: string): string {
  return apiKey.length < 8 ? body : withoutKey(body, apiKey);
}

/** An error that quotes a server, without the key. */
export function errorWithoutKey(error: AgentErrorInfo, apiKey: string): AgentErrorInfo {
  const message = answerWithoutKey(error.message, apiKey);
  const cause = error.cause instanceof Error ? answerWithoutKey(error.cause.message, apiKey) : undefined;
  if (message === error.message && (cause === undefined || cause === (error.cause as Error).message)) return error;
  return withCause({ ...error, message }, cause === undefined ? undefined : new Error(cause));
}

/** The server's own message, out of JSON, HTML or plain text, at most 2,000 characters. */
export function serverMessage(body: string): string {
  if (isHtml(body)) return cut(collapse(textOfHtml(body)), MAX_BODY_LENGTH);
  const parsed = parseJson(body);
  const message = parsed === undefined ? undefined : messageIn(parsed);
  return cut((message ?? body).trim(), MAX_BODY_LENGTH);
}

/** Whether a server says that it is loading its model. Source: llama-server's 503. */
export function isModelLoading(status: number, body: string): boolean {
  return status === 503 && /loading (?:the )?model|model is (?:still )?(?:being )?load/i.test(body);
}

/**
 * Whether a server says that the prompt is too long, by its message or error name. Ignores parts of the request that
 * it repeats.
 */
export function isContextOverflow(body: string): boolean {
  const said = serverMessage(body);
  // Such a message quotes the model.
  if (hasMeaning('unreadable', said)) return false;
  return hasMeaning('overflow', said) || OVERFLOW_NAME.test(body);
}

const OVERFLOW_NAME =
  /"(?:code|type|error_type)"\s*:\s*"(?:exceed_context_size_error|context_length_exceeded|ContextWindowExceeded\w*)"/;

type ConnectionReason = 'refused' | 'unknown_host' | 'unreachable' | 'reset' | 'protocol' | 'certificate';

const CONNECTION_REASONS: Readonly<Record<string, ConnectionReason | undefined>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EPROTO: 'protocol',
  ERR_SSL_WRONG_VERSION_NUMBER: 'protocol',
};

function isCertificateProblem(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code);
}

/** Libraries wrap the system's error. An error for several addresses has one for each. */
function rootCause(error: unknown): { readonly code: string; readonly message: string } {
  let current: unknown = error;
  let found = { code: '', message: String(error) };
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : '';
    if (code !== '' || found.code === '') found = { code, message: current.message };
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause;
    if (!(inner instanceof Error)) break;
    current = inner;
  }
  if (found.code === '' && /^Parse Error|wrong version number/i.test(found.message))
    return { ...found, code: 'EPROTO' };
  return found.code.startsWith('HPE_') ? { ...found, code: 'EPROTO' } : found;
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const messages = value.map(messageIn).filter((message) => message !== undefined);
    return messages.length === 0 ? undefined : messages.join('; ');
  }
  if (!isJsonObject(value)) return undefined;
  for (const key of ['error', 'message', 'detail', 'msg', 'reason']) {
    const message = messageIn(value[key]);
    if (message !== undefined && message !== '') return message;
  }
  return undefined;
}

function isHtml(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|!--|h1|center)/i.test(body);
}

function textOfHtml(html: string): string {
  return html
    .slice(0, 64_000)
    .replace(/<(script|style)\b[^]*?(?:<\/\1>|$)/gi, ' ')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<[^>]*>?/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

function withoutCredentials(location: string): string {
  return cut(location.replace(/\/\/[^/@]*@/, '//'), MAX_EXCERPT_LENGTH);
}

function collapse(text: string): string {
  return text.slice(0, 64_000).replace(/\s+/g, ' ').trim();
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
}
