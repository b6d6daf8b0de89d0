import type { AgentErrorInfo } from '../errors';
import type { FinalResponse, RejectedOutput } from '../executionResult';
import { correctionOf, type CompiledOutput } from '../schema/structuredOutput';
import * as l10n from '../../util/l10n';

export interface AnswerJudgeParts {
  readonly model: string;
  /** The required form of the answer. */
  readonly output: CompiledOutput | undefined;
  /** How many answers of another form are sent back. */
  readonly maxOutputCorrections: number;
}

/**
 * The verdict on an answer without tool calls. `again`: the model gets `prompt` and answers once more. `rejected`: the answer does
 * not match the required form.
 */
export type Verdict =
  | { readonly kind: 'accept'; readonly structuredOutput?: unknown }
  | { readonly kind: 'again'; readonly prompt: string; readonly rejected?: RejectedOutput | undefined }
  | { readonly kind: 'fail'; readonly error: AgentErrorInfo; readonly rejected?: RejectedOutput | undefined };

/** Judges the answers of one run. */
export class AnswerJudge {
  readonly #parts: AnswerJudgeParts;
  #hasAskedAfterThought = false;
  #corrections = 0;

  constructor(parts: AnswerJudgeParts) {
    this.#parts = parts;
  }

  judge(response: FinalResponse | undefined): Verdict {
    const { model, output } = this.#parts;
    if (isThoughtOnly(response)) {
      if (this.#hasAskedAfterThought) return { kind: 'fail', error: noAnswer(model) };
      this.#hasAskedAfterThought = true;
      return { kind: 'again', prompt: afterThought };
    }
    if (!output) return isEmptyAnswer(response) ? { kind: 'fail', error: emptyAnswer(model) } : { kind: 'accept' };
    const answer = textOf(response);
    const checked = output.check(answer);
    if (checked.ok) return { kind: 'accept', structuredOutput: checked.value };
    const rejected = { answer, error: checked.error };
    if (this.#corrections >= this.#parts.maxOutputCorrections) {
      return { kind: 'fail', error: invalidOutput(model, checked.error, this.#corrections), rejected };
    }
    this.#corrections += 1;
    return { kind: 'again', prompt: correctionOf(checked.error), rejected };
  }
}

/** The message to a model that only thought. */
const afterThought = 'You have thought, but not answered. Answer now, or call a tool.';

function isThoughtOnly(response: FinalResponse | undefined): boolean {
  return textOf(response).trim() === '' && response?.content.some((block) => block.type === 'thinking') === true;
}

/** The model said that it is done, and said nothing else. A limit or a filter of the server is told elsewhere. */
export function isEmptyAnswer(response: Pick<FinalResponse, 'stopReason' | 'content'> | undefined): boolean {
  return (
    response?.stopReason === 'stop' &&
    response.content.every((block) => block.type === 'text' && block.text.trim() === '')
  );
}

function textOf(response: FinalResponse | undefined): string {
  return (response?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
}

function noAnswer(model: string): AgentErrorInfo {
  return {
    code: 'no_answer',
    message: l10n.t('{0} only thought and gave no answer, twice. Try again, or rephrase the prompt.', model),
  };
}

function emptyAnswer(model: string): AgentErrorInfo {
  return {
    code: 'no_answer',
    message: l10n.t('The answer of {0} is empty. Try again, or rephrase the prompt.', model),
  };
}

function invalidOutput(model: string, error: string, corrections: number): AgentErrorInfo {
  const tries = corrections === 1 ? '1 correction' : `${corrections} corrections`;
  return {
    code: 'invalid_output',
    message: `The answer of ${model} does not match outputSchema after ${tries}: ${error}. Simplify the schema, or use another model.`,
  };
}
