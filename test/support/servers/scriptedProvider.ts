import type { AgentErrorInfo } from '../../../src/sdk/errors';
import type { AssistantBlock, ToolUseError, Usage } from '../../../src/sdk/messages';
import type { ModelEvent, ModelProvider, ModelRequest, ModelResponse } from '../../../src/sdk/model/modelProvider';
import type { JsonObject } from '../../../src/util/json';

/** One response: its events, with holds between them. */
export type Script = readonly (ModelEvent | Hold)[];

/** A place in a script where the response waits until it is released or aborted. */
export interface Hold {
  readonly type: 'hold';
  /** Resolves when the response waits here. */
  readonly reached: Promise<void>;
  readonly release: () => void;
  /** For the provider. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

/** Plays one script for each request and records the requests. After an abort it ends as the port requires. */
export class ScriptedProvider implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  /** Requests whose signal was aborted while they streamed. */
  abortedCount = 0;
  readonly #scripts: Script[];

  constructor(scripts: readonly Script[]) {
    this.#scripts = [...scripts];
  }

  add(...scripts: readonly Script[]): void {
    this.#scripts.push(...scripts);
  }

  async *stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncGenerator<ModelEvent> {
    this.requests.push(structuredClone(request));
    const script = this.#scripts.shift();
    if (!script) throw new Error(`No script is left for request ${this.requests.length}.`);
    const partial = new Map<number, AssistantBlock>();
    for (const event of script) {
      if (event.type === 'hold') await event.wait(options.signal);
      if (options.signal.aborted) {
        this.abortedCount += 1;
        yield {
          type: 'error',
          error: { code: 'interrupted', message: 'Interrupted.' },
          partial: [...partial.values()],
        };
        return;
      }
      if (event.type === 'hold') continue;
      if (event.type === 'text_delta' || event.type === 'thinking_delta') {
        const type = event.type === 'text_delta' ? 'text' : 'thinking';
        const before = partial.get(event.block);
        const text = before && 'text' in before ? before.text : '';
        partial.set(event.block, { type, text: text + event.text });
      }
      yield event;
    }
  }
}

export function hold(): Hold {
  let reach = (): void => {};
  let release = (): void => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const wait = async (signal: AbortSignal): Promise<void> => {
    reach();
    if (signal.aborted) return;
    await Promise.race([released, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]);
  };
  return { type: 'hold', reached, release, wait };
}

export const scriptedModel = 'scripted';

/** A response of these blocks: a delta for each text, then the ends. */
export function response(
  content: readonly (AssistantBlock | ToolUseError)[],
  end: Partial<ModelResponse> = {},
): readonly ModelEvent[] {
  const events = content.flatMap((block, index): ModelEvent[] => {
    const ended: ModelEvent = { type: 'block_end', block: index, content: block };
    switch (block.type) {
      case 'text':
        return [{ type: 'text_delta', block: index, text: block.text }, ended];
      case 'thinking':
        return [{ type: 'thinking_delta', block: index, text: block.text }, ended];
      case 'tool_use':
        return [{ type: 'tool_use_start', block: index, id: block.id, name: block.name }, ended];
      case 'tool_use_error':
        return [ended];
    }
  });
  const hasCalls = content.some((block) => block.type === 'tool_use');
  return [
    ...events,
    {
      type: 'response_end',
      responseId: 'response',
      model: scriptedModel,
      content,
      stopReason: hasCalls ? 'tool_use' : 'stop',
      ...end,
    },
  ];
}

export function textResponse(text: string, usage?: Usage): readonly ModelEvent[] {
  return response([{ type: 'text', text }], usage ? { usage } : {});
}

export function toolUse(id: string, name: string, input: JsonObject = {}): AssistantBlock & { type: 'tool_use' } {
  return { type: 'tool_use', id, name, input };
}

export function failure(error: AgentErrorInfo, partial: readonly (AssistantBlock | ToolUseError)[] = []): Script {
  return [{ type: 'error', error, partial }];
}
