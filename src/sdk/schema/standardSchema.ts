import { isJsonObject } from '../../util/json';

/**
 * A schema of any library that follows Standard Schema (standardschema.dev): zod 3.25 and later, valibot, arktype. A copy of
 * its types, so that the declarations of this library need no package.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The type of the value after the check, with defaults and transforms applied. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What is wrong with a value. `code` and `keys` come from zod only. */
export interface SchemaIssue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly code?: string | undefined;
  readonly keys?: readonly string[] | undefined;
}

export type Checked =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** Some libraries make schemas that are functions (arktype). */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = (value as Partial<StandardSchema>)['~standard'];
  return isJsonObject(standard) && typeof standard['validate'] === 'function';
}

/** Checks a value with the library of the schema. Never throws. A check that needs to wait fails. */
export function checkValue(schema: StandardSchema, value: unknown): Checked {
  try {
    const result = schema['~standard'].validate(value);
    if (result instanceof Promise) {
      result.catch(() => {});
      return failed('its schema checks asynchronously, which is not possible here');
    }
    if (!result.issues) return { ok: true, value: (result as { readonly value: unknown }).value };
    return { ok: false, issues: Array.from(result.issues, toIssue) };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(message: string): Checked {
  return { ok: false, issues: [{ path: [], message }] };
}

function toIssue(issue: StandardIssue & { readonly code?: unknown; readonly keys?: unknown }): SchemaIssue {
  const { message, path = [], code, keys } = issue;
  return {
    message,
    // A copy: the paths of some libraries are arrays of a kind that `map` keeps.
    path: Array.from(path, (part) => (typeof part === 'object' ? part.key : part)),
    ...(typeof code === 'string' && { code }),
    ...(Array.isArray(keys) && { keys: keys.map(String) }),
  };
}
