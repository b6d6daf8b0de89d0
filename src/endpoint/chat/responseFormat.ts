import { compileOutputSchema, type OutputCheck } from '../../sdk/schema/structuredOutput';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { messageOf } from '../../util/errors';

/** The JSON that an answer must be. */
export interface AnswerFormat {
  readonly schema: JsonObject;
  /** Finds the value in an answer and checks it. */
  readonly check: (answer: string) => OutputCheck;
}

export type ReadFormat =
  { readonly ok: true; readonly format: AnswerFormat | undefined } | { readonly ok: false; readonly problem: string };

const MAX_SCHEMA_LENGTH = 20_000;
const MAX_SCHEMA_DEPTH = 30;

/** Reads `response_format` as OpenAI defines it: `text`, `json_object`, or `json_schema` with a schema. */
export function readResponseFormat(given: unknown): ReadFormat {
  if (given === undefined || given === null) return { ok: true, format: undefined };
  if (!isJsonObject(given)) return refused('it must be an object.');
  switch (given['type']) {
    case 'text':
      return { ok: true, format: undefined };
    case 'json_object':
      return formatOf({ type: 'object' });
    case 'json_schema': {
      const named = given['json_schema'];
      const schema = isJsonObject(named) ? named['schema'] : undefined;
      return isJsonObject(schema) ? formatOf(schema) : refused('json_schema.schema must be a JSON Schema.');
    }
    default:
      return refused('type must be text, json_object or json_schema.');
  }
}

function formatOf(schema: JsonObject): ReadFormat {
  const problem = problemIn(schema);
  if (problem !== undefined) return refused(problem);
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) {
    return refused(`the schema is longer than ${MAX_SCHEMA_LENGTH} characters.`);
  }
  try {
    const compiled = compileOutputSchema(schema);
    return { ok: true, format: { schema, check: (answer) => compiled.check(answer) } };
  } catch (error) {
    return refused(messageOf(error));
  }
}

/** Keywords whose keys are names that the caller chose. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

/** A caller must not be able to block the process: a regular expression can take for ever on some texts. */
function problemIn(value: JsonValue, { depth = 0, isMap = false } = {}): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_SCHEMA_DEPTH) return `the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep.`;
  for (const [key, inner] of Object.entries<JsonValue>({ ...value })) {
    const isPattern = !isMap && (key === 'patternProperties' || (key === 'pattern' && typeof inner === 'string'));
    if (isPattern) return `${key} is not supported.`;
    const problem = problemIn(inner, { depth: depth + 1, isMap: !isMap && maps.has(key) });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function refused(why: string): ReadFormat {
  return { ok: false, problem: `response_format: ${why}` };
}
