import type { AgentErrorInfo } from '../../../sdk/errors';
import type { NoticeAction, SessionNotice } from '../sessionView';

/**
 * The notice after a run failed: the error's message, which names the URL or the model, and the buttons that help. The
 * messages for statuses such as 401 come from sdk/model/errors/httpErrors.ts.
 */
export function failureNotice(id: string, error: AgentErrorInfo): SessionNotice {
  return { id, severity: 'error', message: error.message, actions: failureActions(error) };
}

function failureActions({ code }: AgentErrorInfo): readonly NoticeAction[] {
  switch (code) {
    case 'unauthorized':
      return ['setApiKey', 'retry', 'showLog'];
    case 'not_found':
      return ['selectModel', 'openSettings', 'retry'];
    case 'no_server':
      return ['setUpModel', 'retry', 'setAddress'];
    case 'connection':
    case 'not_openai_compatible':
    case 'silent':
      return ['retry', 'checkServer', 'openSettings', 'showLog'];
    case 'context_overflow':
      return ['selectModel', 'retry', 'showLog'];
    case 'loop_detected':
      return ['continue', 'showLog'];
    case 'invalid_options':
      return ['openSettings', 'retry'];
    case 'bad_request':
    case 'rate_limited':
    case 'server_error':
    case 'server_full':
    case 'server_gone':
    case 'stream_broken':
      return ['retry', 'checkServer', 'showLog'];
    case 'model_loading':
    case 'interrupted':
    case 'busy':
    case 'denied':
    case 'max_turns':
    case 'invalid_state':
      return ['retry', 'showLog'];
    default:
      // A code of a newer version's file.
      return ['retry', 'showLog'];
  }
}
