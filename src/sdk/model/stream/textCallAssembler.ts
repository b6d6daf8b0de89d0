import type { TextCall } from '../calls/textCall';
import { parseToolArguments } from '../calls/toolArguments';
import { cleanToolName } from '../calls/resolveToolName';
import { takeFreshId } from './freshId';
import { NOT_EXECUTED, type FinishedCall, type ReasonFor, type ToolCallAssemblerOptions } from './toolCallAssembler';

interface PendingTextCall {
  readonly block: number;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly call: TextCall;
  /** As it was written, if that is kept. */
  readonly written: string | undefined;
  readonly isAfterLoss: boolean;
}

/** Makes blocks of calls that were written as text. Whether they count shows at the end of the answer. */
export class TextCallAssembler {
  readonly #options: ToolCallAssemblerOptions;
  readonly #calls: PendingTextCall[] = [];
  readonly #ids: Set<string>;
  #hasLoss = false;

  constructor(options: ToolCallAssemblerOptions) {
    this.#options = options;
    this.#ids = new Set(options.usedIds);
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** A chunk is lost. It may belong to any call after this, or have shown that the call is only quoted. */
  noteLoss(): void {
    this.#hasLoss = true;
  }

  add(call: TextCall, written?: string): void {
    const { sink, newId, resolveName } = this.#options;
    const id = takeFreshId(newId, this.#ids);
    const block = sink.open();
    const name = resolveName(call.name) ?? cleanToolName(call.name);
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    this.#calls.push({ block, id, name, text, call, written, isAfterLoss: this.#hasLoss });
    sink.start(block, id, name);
    sink.delta(block, id, text);
  }

  /** Ends all calls, in order. Calls with a reason come out as errors, and so do calls after a loss. */
  finish(reasonFor: ReasonFor): readonly FinishedCall[] {
    return this.#calls.map(({ block, id, name, text, call, written, isAfterLoss }) => {
      // Each was added at its own end.
      const reason = reasonFor(true) ?? (isAfterLoss ? NOT_EXECUTED.loss : undefined);
      const parsed = parseToolArguments(call.arguments, { lenient: this.#options.isLenient });
      if (reason === undefined && parsed.ok) {
        const use = { type: 'tool_use', id, name, input: parsed.input } as const;
        return { block, content: written === undefined ? use : { ...use, written } };
      }
      const error = reason ?? (parsed.ok ? '' : parsed.error);
      return { block, content: { type: 'tool_use_error', error, rawData: text, toolUseId: id, toolName: name } };
    });
  }
}
