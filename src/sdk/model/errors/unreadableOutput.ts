import * as l10n from '../../../util/l10n';
import { isJsonObject, parseJson } from '../../../util/json';
import { withCause, type AgentErrorInfo } from '../../errors';
import { hasMeaning } from './wordings';

/**
 * Whether a server could not read its own model's output, mostly a tool call. Another sample may be readable. Words that are
 * not known count where the server failed after its model had begun to answer, unless they name another cause.
 */
export function isUnreadableOutput({ code, message, during }: AgentErrorInfo): boolean {
  if (code !== 'server_error') return false;
  return hasMeaning('unreadable', message) || (during === 'answer' && !OTHER_CAUSE.test(message));
}

/**
 * The model's output that a server quotes where it could not read it; `undefined` without any. Sources: llama.cpp, "Failed to parse
 * input at pos 12: …", and `failed_generation` of Groq.
 */
export function quotedOutput(body: string): string | undefined {
  const parsed = parseJson(body);
  const error = isJsonObject(parsed) && isJsonObject(parsed['error']) ? parsed['error'] : parsed;
  if (!isJsonObject(error)) return undefined;
  const { message, failed_generation: generation } = error;
  if (typeof generation === 'string' && generation !== '') return generation;
  return typeof message === 'string' ? /^failed to parse input at pos \d+: ([^]+)$/i.exec(message)?.[1] : undefined;
}

/** The error for people when asking again did not help. */
export function explainUnreadable(error: AgentErrorInfo): AgentErrorInfo {
  const why = l10n.t(
    "The server could not read its own model's output, even when asked again. Update the server, check the chat template and the tool parser it uses for this model, or use another model.",
  );
  return withCause({ ...error, message: `${error.message} ${why}` }, error.cause);
}

/** Failures of the machine or the program, for which another sample is no help. */
const OTHER_CAUSE =
  /memory|cuda|metal|vulkan|rocm|gpu|compute error|input batch|decode|runner|crash|terminated|killed|shut|time[d ]*out|connect|overload|unavailable|disk|quota|rate limit/i;
