import * as z from 'zod';

/** What the makers of a model recommend. */
export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(5).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().int().min(0).max(10_000).optional(),
  minP: z.number().min(0).max(1).optional(),
});

export type Sampling = Readonly<z.infer<typeof samplingSchema>>;
