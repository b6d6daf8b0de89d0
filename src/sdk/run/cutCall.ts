import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import type { ModelResponse } from '../model/modelProvider';
import { CUT_OFF_REASONS } from '../model/cutOff';
import { isCall } from './toolCalls/call';
import * as l10n from '../../util/l10n';

/** A response that ended inside a tool call. */
export interface CutCall {
  /** A limit ended it. Otherwise the model did. */
  readonly isLimit: boolean;
  /** What is wrong, for the model. Absent where the results of the calls say so. */
  readonly prompt: string | undefined;
}

/** How many responses in a row may end inside a tool call before the run ends. */
const MAX_CUT_CALLS = 4;

/** Whether a response ended inside a tool call. Calls without an id have no result, so a prompt has to tell. */
export function cutCallOf({ content, stopReason }: ModelResponse): CutCall | undefined {
  const failed = content.filter((block) => block.type === 'tool_use_error');
  const nameless = failed.find((block) => !isCall(block));
  const isLimit = stopReason === 'length' && failed.length > 0;
  const hasResults = content.some(isCall);
  if (!isLimit && (!nameless || hasResults)) return undefined;
  const prompt = isLimit ? CUT_OFF_REASONS.length : `${nameless?.error ?? ''} Write the whole call again.`;
  return { isLimit, prompt: hasResults ? undefined : prompt };
}

/** Counts the responses in a row that ended inside a tool call. */
export class CutCalls {
  readonly #model: string;
  #count = 0;

  constructor(model: string) {
    this.#model = model;
  }

  /** Takes the next response. Returns why the run should end, if it should. */
  add(cutCall: CutCall | undefined): AgentErrorInfo | undefined {
    this.#count = cutCall ? this.#count + 1 : 0;
    if (!cutCall || this.#count < MAX_CUT_CALLS) return undefined;
    const message = cutCall.isLimit
      ? l10n.t(
          'The answer of {0} reached its length limit inside a tool call {1} times in a row, and no such call was executed. Raise maxTokens or the context length of the server, or ask for smaller steps.',
          this.#model,
          this.#count,
        )
      : l10n.t(
          'The answer of {0} ended inside a tool call {1} times in a row, and no such call was executed. Try again, or use another model.',
          this.#model,
          this.#count,
        );
    return { code: 'stream_broken', message };
  }

  warning({ isLimit }: CutCall): AgentEvent {
    const message = isLimit
      ? l10n.t(
          'The answer of {0} reached its length limit inside a tool call, which was not executed. The model is told to make smaller calls.',
          this.#model,
        )
      : l10n.t(
          'The answer of {0} ended inside a tool call, which was not executed. The model is told so.',
          this.#model,
        );
    return { type: 'warning', code: 'incomplete_response', message };
  }
}
