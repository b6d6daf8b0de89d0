import type { AgentErrorInfo } from '../../errors';

/**
 * Whether a server could not read its own model's output, mostly a tool call. Another sample may be readable.
 * Wordings: llama-server, Ollama and vLLM.
 */
export function isUnreadableOutput({ code, message }: AgentErrorInfo): boolean {
  return code === 'server_error' && UNREADABLE.test(message);
}

/** The error for people when asking again did not help. */
export function explainUnreadable(error: AgentErrorInfo): AgentErrorInfo {
  const why =
    "The server could not read its own model's output, even when asked again. Update the server, check the chat " +
    'template and the tool parser it uses for this model, or use another model.';
  return { ...error, message: `${error.message} ${why}` };
}

const UNREADABLE = new RegExp(
  [
    'failed to parse (?:input at pos|(?:the )?(?:tool|function) call|(?:the )?(?:model|assistant).{0,20}(?:output|response|message))',
    'error parsing (?:tool|function) call',
    'error in extracting (?:tool|function) call',
    'tool call parser',
    'xml syntax error',
    'unexpected tokens remaining in message header',
  ].join('|'),
  'i',
);
