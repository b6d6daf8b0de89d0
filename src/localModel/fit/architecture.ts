import * as z from 'zod';

const count = z.number().int().min(1).max(100_000_000);

/** What decides how much memory each token of context takes. */
export const architectureSchema = z.strictObject({
  /** The name in GGUF files, such as `qwen3`. */
  kind: z.string().min(1).max(100),
  layers: count,
  /** For each layer. May be broken: the average of layers that differ. */
  kvHeads: z.number().min(0).max(10_000),
  /** In numbers for each head. */
  keyLength: z.number().min(1).max(100_000),
  valueLength: z.number().min(1).max(100_000),
  /** Keys and values are kept compressed, in this many numbers for each layer (DeepSeek). */
  latentLength: count.optional(),
  /** Layers keep only the last tokens, but for each `fullEvery`th one. */
  window: z.strictObject({ length: count, fullEvery: count }).optional(),
  /** Only each nth layer has attention; the others keep a state of fixed size. */
  attentionEvery: count.optional(),
  /** The longest context that the model was trained for, in tokens. */
  trainedContext: count.optional(),
});

export type Architecture = Readonly<z.infer<typeof architectureSchema>>;
