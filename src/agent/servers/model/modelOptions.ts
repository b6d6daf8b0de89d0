import * as z from 'zod';
import type { QuirkMemory } from '../../../sdk/model/wire/serverQuirks';

/** A person's options for one model. Absent ones follow from the model and its server. */
export const ModelOptions = z.strictObject({
  /** `native`: in the request's own fields · `text`: described in the prompt · `auto`: as learned. */
  toolCalls: z.enum(['auto', 'native', 'text']).optional(),
  /** Whether the model gets its own earlier reasoning again. `auto`: that of the current turn, with its tool calls. */
  replayReasoning: z.enum(['auto', 'always', 'never']).optional(),
  /** Whether the model takes images. Absent: as the server says. */
  images: z.boolean().optional(),
  /** In tokens. */
  contextWindow: z.int().min(512).nullable().optional(),
});

export type ModelOptions = z.infer<typeof ModelOptions>;

/** By model id. A key that ends in `*` matches every id with that prefix. */
export const ModelOptionsTable = z.record(z.string(), ModelOptions).readonly();

export type ModelOptionsTable = z.infer<typeof ModelOptionsTable>;

/** The options for a model. Each field comes from the most specific key: the id itself, else the longest prefix. */
export function modelOptionsFor(table: ModelOptionsTable, model: string): ModelOptions {
  const fitting = Object.entries(table)
    .filter(([key]) => key === model || (key.endsWith('*') && model.startsWith(key.slice(0, -1))))
    .sort(([a], [b]) => Number(a === model) - Number(b === model) || a.length - b.length);
  return Object.assign({}, ...fitting.map(([, options]) => options)) as ModelOptions;
}

/** Replaces the learned way of tool calls with the person's setting. */
export function withToolCalls(memory: QuirkMemory, toolCalls: ModelOptions['toolCalls']): QuirkMemory {
  if (toolCalls === undefined || toolCalls === 'auto') return memory;
  return {
    get: (model) => ({ ...memory.get(model), tools: toolCalls }),
    learn: (model, quirks) => memory.learn(model, { ...quirks, tools: memory.get(model).tools }),
  };
}
