import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BodyParser } from '../../../../src/sdk/model/http/bodyParser';
import type { ModelEvent, ModelResponse, ToolDefinition } from '../../../../src/sdk/model/modelProvider';
import type { CutOff } from '../../../../src/sdk/model/cutOff';
import { StreamAggregator } from '../../../../src/sdk/model/stream/streamAggregator';
import { fixturePath } from '../../../support/files/fixturePath';

const recordings = fixturePath('recordings', 'llama-server');

export function recording(name: string): Buffer {
  return readFileSync(join(recordings, name));
}

/** The tools of the recordings. */
export const tools: readonly ToolDefinition[] = [
  tool('read_file', 'path'),
  tool('run_command', 'command'),
  tool('write_file', 'path', 'content'),
];

function tool(name: string, ...parameters: string[]): ToolDefinition {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]));
  return { name, description: name, inputSchema: { type: 'object', properties, required: parameters } };
}

/** Ids in order: `id1`, `id2`, … */
export function countedIds(): () => string {
  let count = 0;
  return () => `id${++count}`;
}

export interface Aggregated {
  readonly events: readonly ModelEvent[];
  readonly response: ModelResponse;
}

/** Runs chunks through an aggregator, taking events after each. */
export function aggregate(
  chunks: readonly unknown[],
  options: { readonly cut?: CutOff; readonly hasTools?: boolean; readonly usedIds?: ReadonlySet<string> } = {},
): Aggregated {
  const aggregator = new StreamAggregator({
    tools: options.hasTools === false ? [] : tools,
    newToolUseId: countedIds(),
    usedIds: options.usedIds,
  });
  const events: ModelEvent[] = [];
  for (const chunk of chunks) {
    aggregator.accept(chunk);
    events.push(...aggregator.takeEvents());
  }
  const response = aggregator.finish(options.cut);
  events.push(...aggregator.takeEvents());
  return { events: merged(events), response };
}

/** Runs the bytes of a stream, in the given pieces, through decoder, parser and aggregator. */
export function aggregateBytes(pieces: Iterable<Uint8Array>): Aggregated & { readonly malformed: readonly string[] } {
  const aggregator = new StreamAggregator({ tools, newToolUseId: countedIds() });
  const malformed: string[] = [];
  const fail = (text: string): void => {
    throw new Error(`unexpected: ${text}`);
  };
  const parser = new BodyParser({
    chunk: (chunk) => aggregator.accept(chunk),
    malformed: (text) => {
      aggregator.noteLoss();
      malformed.push(text);
    },
    error: fail,
    foreign: fail,
    done: () => aggregator.noteEnd(),
  });
  const decoder = new TextDecoder();
  const events: ModelEvent[] = [];
  for (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    events.push(...aggregator.takeEvents());
  }
  parser.end();
  const response = aggregator.finish(aggregator.isFinished ? undefined : 'incomplete');
  events.push(...aggregator.takeEvents());
  return { events: merged(events), response, malformed };
}

/** Joins deltas that follow each other in one block: how a stream was cut into packets is no difference. */
export function merged(events: readonly ModelEvent[]): ModelEvent[] {
  const result: ModelEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === 'tool_use_delta' && last?.type === event.type && last.block === event.block) {
      result[result.length - 1] = { ...last, argumentsDelta: last.argumentsDelta + event.argumentsDelta };
    } else if (
      (event.type === 'text_delta' || event.type === 'thinking_delta') &&
      last?.type === event.type &&
      last.block === event.block
    ) {
      result[result.length - 1] = { ...last, text: last.text + event.text };
    } else result.push(event);
  }
  return result;
}

export function textChunk(content: string): unknown {
  return { choices: [{ index: 0, delta: { content }, finish_reason: null }] };
}

export function deltaChunk(delta: unknown): unknown {
  return { choices: [{ index: 0, delta, finish_reason: null }] };
}

export function callChunk(...entries: unknown[]): unknown {
  return deltaChunk({ tool_calls: entries });
}

export function finishChunk(reason: string): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

/** Every way to cut a text in two, and the text in single characters. */
export function splits(text: string): readonly (readonly string[])[] {
  const cuts = Array.from({ length: text.length - 1 }, (_, index) => [text.slice(0, index + 1), text.slice(index + 1)]);
  return [[text], Array.from(text), ...cuts];
}
