import type { Conversation } from '../conversation';
import type { OpenToolCalls } from './openToolCalls';
import type { RepeatedCalls } from './repeatedCalls';
import type { ToolRunnerParts } from './toolRunner';

export interface RunCallsParts {
  readonly conversation: Conversation;
  readonly tools: ToolRunnerParts;
  readonly openToolCalls: OpenToolCalls;
  readonly repeatedCalls: RepeatedCalls;
  /** `false`: manual mode. The caller executes the calls. */
  readonly autoExecuteTools: boolean;
}
