import * as l10n from '../../../util/l10n';
import type { AgentErrorInfo } from '../../errors';
import type { AssistantBlock, ToolUseError } from '../../messages';
import type { ModelEvent, ModelProvider } from '../modelProvider';
import { createProvider, sendEvents } from '../sentEvents';
import { RepetitionWatch } from '../stream/repeatedText';

export interface LoopLimits {
  /** How many characters of text or thinking may repeat the ones before. */
  readonly repeatedCharacters: number;
  /** The same for the arguments of a call, because a file may be all zeros. */
  readonly repeatedArgumentCharacters: number;
  /** How many tool calls one answer may have. */
  readonly callsPerAnswer: number;
}

const defaultLimits: LoopLimits = {
  repeatedCharacters: 2_048,
  repeatedArgumentCharacters: 16_384,
  callsPerAnswer: 100,
};

/**
 * Wraps `provider` so that it cuts off an answer that repeats itself. Closes the connection, keeps the text with one
 * copy of the repeated part, and ends with an error that says why. Tool calls of that answer do not count.
 */
export function guardLoops(provider: ModelProvider, limits: LoopLimits = defaultLimits): ModelProvider {
  return createProvider(async (request, options, sink) => {
    const answer = new Answer(limits);
    let loop: Loop | undefined;
    await sendEvents(provider, request, options, {
      take(events) {
        for (const [index, event] of events.entries()) {
          loop = answer.take(event);
          if (loop === undefined) continue;
          const { events: ends, partial } = answer.cut();
          const error: AgentErrorInfo = { code: 'loop_detected', message: describe(loop, request.model, limits) };
          return sink.take([...events.slice(0, index + 1), ...ends, { type: 'error', error, partial }]);
        }
        return sink.take(events);
      },
      get hasLeft() {
        return loop !== undefined || sink.hasLeft;
      },
    });
  });
}

type Loop = 'text' | 'thinking' | 'arguments' | 'calls';

type Block = AssistantBlock | ToolUseError;

type OpenBlock =
  | { readonly kind: 'text' | 'thinking'; readonly watch: RepetitionWatch }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly watch: RepetitionWatch };

/** The blocks of an answer so far. */
class Answer {
  readonly #limits: LoopLimits;
  readonly #open = new Map<number, OpenBlock>();
  readonly #ended = new Map<number, Block>();
  readonly #calls = new Set<number>();

  constructor(limits: LoopLimits) {
    this.#limits = limits;
  }

  /** The part of the answer that repeats itself. */
  take(event: ModelEvent): Loop | undefined {
    switch (event.type) {
      case 'text_delta':
        return this.#grow(event.block, 'text', event.text);
      case 'thinking_delta':
        return this.#grow(event.block, 'thinking', event.text);
      case 'tool_use_start': {
        const { block, id, name } = event;
        const watch = new RepetitionWatch(this.#limits.repeatedArgumentCharacters);
        this.#open.set(block, { kind: 'call', id, name, watch });
        return this.#countCall(block);
      }
      case 'tool_use_delta':
        return this.#open.get(event.block)?.watch.push(event.argumentsDelta) ? 'arguments' : undefined;
      case 'block_end': {
        const { block, content } = event;
        this.#open.delete(block);
        this.#ended.set(block, content);
        return content.type === 'tool_use' ? this.#countCall(block) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Ends the open blocks. `partial` has all blocks, in order. */
  cut(): { readonly events: readonly ModelEvent[]; readonly partial: readonly Block[] } {
    const events: ModelEvent[] = [];
    for (const [block, open] of this.#open) {
      const content = contentOf(open);
      this.#ended.set(block, content);
      events.push({ type: 'block_end', block, content });
    }
    const partial = [...this.#ended].sort(([a], [b]) => a - b).map(([, content]) => content);
    return { events, partial };
  }

  #grow(block: number, kind: 'text' | 'thinking', text: string): Loop | undefined {
    let open = this.#open.get(block);
    if (!open) {
      open = { kind, watch: new RepetitionWatch(this.#limits.repeatedCharacters) };
      this.#open.set(block, open);
    }
    return open.watch.push(text) ? kind : undefined;
  }

  #countCall(block: number): Loop | undefined {
    this.#calls.add(block);
    return this.#calls.size > this.#limits.callsPerAnswer ? 'calls' : undefined;
  }
}

function contentOf(open: OpenBlock): Block {
  if (open.kind !== 'call') return { type: open.kind, text: open.watch.textOnce };
  const { id: toolUseId, name: toolName } = open;
  const error = 'The answer was cut off, so this call was not executed.';
  return { type: 'tool_use_error', error, rawData: open.watch.textOnce, toolUseId, toolName };
}

function describe(loop: Loop, model: string, limits: LoopLimits): string {
  const wayOut = l10n.t('Continue, rephrase the prompt, or use another model or sampling.');
  return `${loopText(loop, model, limits)} ${wayOut}`;
}

function loopText(loop: Loop, model: string, limits: LoopLimits): string {
  switch (loop) {
    case 'text':
      return l10n.t('{0} kept repeating the same text, so its answer was cut off.', model);
    case 'thinking':
      return l10n.t('{0} kept repeating the same text, so its thinking was cut off.', model);
    case 'arguments':
      return l10n.t('{0} kept repeating the same text, so its tool call was cut off.', model);
    case 'calls':
      return l10n.t(
        '{0} made more than {1} tool calls in one answer, so it was cut off and none was executed.',
        model,
        limits.callsPerAnswer,
      );
  }
}
