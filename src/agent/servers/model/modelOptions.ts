import * as z from 'zod';
import type { QuirkMemory } from '../../../sdk/model/wire/serverQuirks';

/** What a person sets for one model. What is absent is decided by what is known of it. */
export const ModelOptions = z.strictObject({
  /** `native`: tools travel in the request's own fields · `text`: described in the prompt · `auto`: as was learned. */
  toolCalls: z.enum(['auto', 'native', 'text']).optional(),
  /** Whether the model gets its own earlier thoughts again: `auto`, those of the current turn, with its tool calls. */
  replayReasoning: z.enum(['auto', 'always', 'never']).optional(),
  /** In tokens. */
  contextWindow: z.int().min(512).nullable().optional(),
});

export type ModelOptions = z.infer<typeof ModelOptions>;

/** By model id; a key that ends in `*` is for every id that begins so. */
export const ModelOptionsTable = z.record(z.string(), ModelOptions).readonly();

export type ModelOptionsTable = z.infer<typeof ModelOptionsTable>;

/** What is set for a model, field by field from the key that says most about it: its own id, else the longest beginning. */
export function modelOptionsFor(table: ModelOptionsTable, model: string): ModelOptions {
  const fitting = Object.entries(table)
    .filter(([key]) => key === model || (key.endsWith('*') && model.startsWith(key.slice(0, -1))))
    .sort(([a], [b]) => Number(a === model) - Number(b === model) || a.length - b.length);
  return Object.assign({}, ...fitting.map(([, options]) => options)) as ModelOptions;
}

/** `memory`, with the person's word on tool calls in place of what was learned about them. */
export function withToolCalls(memory: QuirkMemory, toolCalls: ModelOptions['toolCalls']): QuirkMemory {
  if (toolCalls === undefined || toolCalls === 'auto') return memory;
  return {
    get: (model) => ({ ...memory.get(model), tools: toolCalls }),
    learn: (model, quirks) => memory.learn(model, { ...quirks, tools: memory.get(model).tools }),
  };
}
