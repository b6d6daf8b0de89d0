import type { ModelEvent, ModelResponse, ToolDefinition } from '../model/modelProvider';

/** How `aggregateChunks` reads a response. */
export interface AggregateOptions {
  /** The tools of the request. Only with them, calls that the model wrote as text are read as calls. Default: none. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** The model's name, which shows how it writes calls. Absent: in any known way. */
  readonly model?: string | undefined;
  /** Repairs arguments that are complete but not quite JSON. Default: true. */
  readonly allowLenientToolJson?: boolean | undefined;
}

/**
 * Makes the blocks of one response out of its chunks: parsed `chat.completion.chunk`s from any source, for example the
 * stream of the `openai` package, or one whole completion. Yields an event for each piece and returns the response. A stream
 * without a finish reason is `incomplete`: its text is kept, and its calls come out as `ToolUseError`s. What is no chunk is
 * ignored. Rejects with what the source throws.
 */
export async function* aggregateChunks(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  { tools = [], model, allowLenientToolJson }: AggregateOptions = {},
): AsyncGenerator<ModelEvent, ModelResponse, undefined> {
  const { StreamAggregator } = await import('../model/stream/streamAggregator');
  const aggregator = new StreamAggregator({ tools, model, isLenient: allowLenientToolJson });
  for await (const chunk of chunks) {
    aggregator.accept(chunk);
    yield* aggregator.takeEvents();
  }
  const response = aggregator.finish(aggregator.endsWithReason ? undefined : 'incomplete');
  yield* aggregator.takeEvents();
  return response;
}
