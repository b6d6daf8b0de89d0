import type * as z from 'zod';
import { describeIssues } from '../../util/zodIssues';
import { AgentError } from '../errors';

/**
 * Parses `value` with `schema`. Throws `invalid_options` that names the thing, by `kind` and id, and every wrong
 * field.
 */
export function parseNamed<T>(kind: string, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const id =
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
      ? ` "${value.id}"`
      : '';
  const message = `${kind}${id}: ${describeIssues(parsed.error)}.`;
  throw new AgentError({ code: 'invalid_options', message }, { cause: parsed.error });
}
