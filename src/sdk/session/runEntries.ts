import type { AgentErrorInfo } from '../errors';
import type { AgentEvent, RunOutcome } from '../events';
import type { EntryBody, EntryOf } from './entries';

type PartialBlock = EntryOf<'assistant_partial'>['blocks'][number];

/** What may be lost of an answer that streams when the process dies. */
export const PARTIAL_INTERVAL_MS = 2_000;

export interface RunEntriesParts {
  /** Milliseconds, of any beginning. */
  readonly now: () => number;
  /** The entry that a `compaction` names as the first kept one, when this many messages stay. */
  readonly firstKeptId: (keptMessages: number) => string | null;
}

/** The events of one run, as the entries that replay to the same history. What streams is given out every two seconds. */
export class RunEntries {
  readonly #parts: RunEntriesParts;
  readonly #partial = new Map<number, { readonly type: 'text' | 'thinking'; text: string }>();
  #partialSinceMs: number;
  #hasPrompt: boolean;
  #isInStep = false;

  /** `hasPrompt`: the first user message is the person's; otherwise the client's own, to go on. */
  constructor(parts: RunEntriesParts, options: { readonly hasPrompt: boolean }) {
    this.#parts = parts;
    this.#partialSinceMs = parts.now();
    this.#hasPrompt = options.hasPrompt;
  }

  /** The entries an event adds, in order; none for most. */
  of(event: AgentEvent): readonly EntryBody[] {
    switch (event.type) {
      case 'user_message':
        return [this.#userEntry(event)];
      case 'step_start':
        this.#isInStep = true;
        return [];
      case 'text_delta':
        return this.#addPartial(event.block, 'text', event.text);
      case 'thinking_delta':
        return this.#addPartial(event.block, 'thinking', event.text);
      case 'assistant_message':
        return [this.#assistantEntry(event)];
      case 'tool_execution_start': {
        const { toolUseId, toolName, input } = event;
        return [{ type: 'tool_call', toolUseId, toolName, input }];
      }
      case 'tool_execution_end': {
        const { outcome, display } = event;
        return [{ ...event.result, outcome, ...(display !== undefined && { display }) }];
      }
      case 'compaction': {
        const { summary, keptMessages, maxResultCharacters } = event;
        const firstKeptId = this.#parts.firstKeptId(keptMessages);
        const cut = maxResultCharacters !== undefined && { maxResultCharacters };
        return [{ type: 'compaction', summary, firstKeptId, ...cut }];
      }
      case 'run_end':
        return [...this.#takePartial(), ...endEntries(event.outcome, event.error)];
      default:
        return [];
    }
  }

  #userEntry({ text, origin }: Extract<AgentEvent, { type: 'user_message' }>): EntryBody {
    const isOwn = origin === 'prompt' && !this.#hasPrompt;
    if (origin === 'prompt') this.#hasPrompt = false;
    return { type: 'user_message', text, contextLabels: [], content: text, origin: isOwn ? 'continue' : origin };
  }

  #assistantEntry(event: Extract<AgentEvent, { type: 'assistant_message' }>): EntryBody {
    const { message, responseId, model, usage } = event;
    const { content, stopReason } = message;
    // What the client adds between steps only keeps the conversation well-formed.
    const isBridge = !this.#isInStep;
    this.#isInStep = false;
    this.#partial.clear();
    return {
      type: 'assistant_message',
      content,
      ...(stopReason && { stopReason }),
      responseId,
      model,
      ...(usage && { usage }),
      ...(isBridge && { isBridge }),
    };
  }

  #addPartial(block: number, type: 'text' | 'thinking', text: string): readonly EntryBody[] {
    if (this.#partial.size === 0) this.#partialSinceMs = this.#parts.now();
    const known = this.#partial.get(block);
    if (known) known.text += text;
    else this.#partial.set(block, { type, text });
    return this.#parts.now() - this.#partialSinceMs >= PARTIAL_INTERVAL_MS ? this.#takePartial() : [];
  }

  #takePartial(): readonly EntryBody[] {
    const blocks = [...this.#partial].map(([block, { type, text }]): PartialBlock => ({ block, type, text }));
    this.#partial.clear();
    return blocks.length > 0 ? [{ type: 'assistant_partial', blocks }] : [];
  }
}

/** What is on file of the way a run ended. */
export function endEntries(outcome: RunOutcome, error: AgentErrorInfo | undefined): readonly EntryBody[] {
  const statuses = { completed: 'FINISHED', interrupted: 'CANCELED', limit: 'IDLE', error: 'ERROR' } as const;
  const status: EntryBody = { type: 'status_update', status: statuses[outcome] };
  if (!error) return [status];
  const { code, message, status: httpStatus } = error;
  return [{ type: 'error', code, message, ...(httpStatus !== undefined && { status: httpStatus }) }, status];
}
