import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import { addUsage } from '../executionResult';
import type { Usage } from '../messages';
import type { ModelRequest } from '../model/modelProvider';
import { modelStep, type ModelStepEnd } from './modelStep';
import type { StepParts } from './stepEnd';

/** `no_room`: the conversation could not be compacted. `compactionUsage` is that of the compactions and of dropped answers. */
export type FittedResponse = (
  | (ModelStepEnd & {
      /** A small limit of the server's own ended it. The next request says how long the answer may be. */
      readonly hasServersLimit: boolean;
    })
  | { readonly kind: 'no_room'; readonly error: AgentErrorInfo }
) & {
  readonly compactionUsage: Usage | undefined;
};

const MAX_OVERFLOWS = 2;

/**
 * Asks the model for one response. Compacts the conversation before the request when the context window is nearly full,
 * and again when the server refuses the request as too long. An empty answer to a prompt that fills the window counts as a
 * refusal, once.
 */
export async function* requestWithinContext(
  { budget, conversation, provider, tools, emit, request: base }: StepParts,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, FittedResponse> {
  const requestNow = (): ModelRequest => ({ ...base, messages: conversation.messages });
  let compactionUsage: Usage | undefined;
  let hasCompacted = false;
  let room = yield* budget.makeRoom(requestNow(), signal);
  for (let overflows = 0; ; overflows++) {
    if (room.kind === 'failed') return { kind: 'no_room', error: room.error, compactionUsage };
    if (room.kind === 'compacted') {
      hasCompacted = true;
      conversation.replace(room.messages);
      compactionUsage = addUsage(compactionUsage, room.usage);
    }
    const request = requestNow();
    const sent = { ...request, sampling: budget.samplingFor(request) };
    const answered = await modelStep({ provider, registry: tools.registry, emit }, sent, signal);
    const usage = answered.response?.usage;
    const warning = budget.noteResponse(request, usage);
    if (warning) yield warning;
    const hidden =
      answered.kind === 'complete' ? await budget.hiddenOverflow(sent, answered.response, signal) : undefined;
    const ended = hidden ? refusalOf(answered, hidden) : answered;
    const hasServersLimit = ended.kind === 'complete' && budget.noteLimit(sent, ended.response);
    const fitted = { ...ended, hasServersLimit, compactionUsage };
    const isFinal = overflows === MAX_OVERFLOWS || (hidden !== undefined && hasCompacted);
    if (!isOverflow(ended) || isFinal) return fitted;
    room = yield* budget.recover(sent, ended.error, signal);
    if (room.kind === 'nothing') return fitted;
    compactionUsage = addUsage(compactionUsage, usage);
  }
}

/** The server refused the request as too long and sent nothing. */
function isOverflow(ended: ModelStepEnd): ended is ModelStepEnd & { readonly kind: 'cut' } {
  if (ended.kind !== 'cut' || ended.error.code !== 'context_overflow') return false;
  return ended.kept.length === 0 && ended.heldBlocks.length === 0;
}

/** An empty response as the refusal that it is. */
function refusalOf({ heldBlocks, response }: ModelStepEnd, error: AgentErrorInfo): ModelStepEnd {
  return { kind: 'cut', kept: [], stopReason: 'incomplete', error, heldBlocks, response };
}
