import type { AgentErrorInfo } from '../../errors';
import type { AssistantBlock, StopReason, ToolUseError, Usage } from '../../messages';
import type { ModelLogger } from '../modelLogger';
import type { ModelRequest } from '../modelProvider';
import type { WireRequest } from '../wire/wireTypes';

/** Reports the attempts of one request to a logger, and its end once. */
export interface RequestLog {
  request(body: WireRequest): void;
  /** Only the first call counts. */
  end(outcome: RequestOutcome): void;
}

export interface RequestOutcome {
  readonly status?: number | undefined;
  readonly content?: readonly (AssistantBlock | ToolUseError)[] | undefined;
  readonly stopReason?: StopReason | undefined;
  readonly usage?: Usage | undefined;
  readonly error?: AgentErrorInfo | undefined;
}

export function startLog(options: {
  readonly logger: ModelLogger | undefined;
  readonly url: string;
  readonly request: ModelRequest;
}): RequestLog {
  const { logger, url, request } = options;
  const startedAt = performance.now();
  let hasEnded = false;
  return {
    request: (body) =>
      logger?.request({
        url,
        model: request.model,
        messageCount: body.messages.length,
        toolCount: request.tools.length,
        body: () => JSON.stringify(body),
      }),
    end({ content = [], ...outcome }) {
      if (hasEnded) return;
      hasEnded = true;
      const ms = Math.round(performance.now() - startedAt);
      logger?.response({ url, ms, ...outcome, content: () => JSON.stringify(content) });
    },
  };
}
