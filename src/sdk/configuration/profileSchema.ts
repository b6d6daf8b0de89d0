import * as z from 'zod';
import { messageOf } from '../../util/errors';
import { once } from '../../util/lazy';
import { normalizeBaseUrl } from '../model/http/baseUrl';
import { optionalSampling } from './sampling';

/** The schema of `LlmProfile`, which says what each field means. */
export const llmProfileSchema = once(() =>
  z.strictObject({
    id: z.string().min(1),
    baseUrl: z.string().superRefine((baseUrl, context) => {
      try {
        normalizeBaseUrl(baseUrl);
      } catch (error) {
        context.addIssue({ code: 'custom', message: messageOf(error) });
      }
    }),
    model: z.string().min(1),
    systemPrompt: z.string().optional(),
    ...optionalSampling(),
  }),
);
