import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { ToolDefinition } from '../modelProvider';

/** What of a schema is left out: `limits` of values, `forms` of values, or `all` of both. */
export type SchemaStep = 'limits' | 'forms' | 'all';

/** The same for one tool. `bare`: only the keywords that most tools use are left. */
export type ToolSchemaStep = SchemaStep | 'bare';

/**
 * A schema without what strict servers reject. `limits`: `pattern`, `format`, `maxLength`, `minItems` and the like. `forms`:
 * `oneOf`, `$ref`, types that JSON Schema does not have, empty lists of choices, and schemas that are no objects. Keeps
 * parameters with the name of a keyword. Returns a schema without them unchanged.
 */
export function plainSchema(schema: JsonObject, step: ToolSchemaStep = 'all'): JsonObject {
  const plain = strip(schema, step) as JsonObject;
  return JSON.stringify(plain) === JSON.stringify(schema) ? schema : plain;
}

/** Whether a schema has anything that most tools do not use. A server that rejects the others rejects every tool. */
export function isUnusual(schema: JsonObject): boolean {
  return oddityOf(schema) > 0 || plainSchema(schema) !== schema;
}

/** What may still be left out of a schema, a little first. `first` is what the server's words are about. */
export function toolStepsAfter(
  schema: JsonObject,
  before: ToolSchemaStep | undefined,
  first: 'limits' | 'forms',
): readonly ToolSchemaStep[] {
  const steps: readonly ToolSchemaStep[] = [first, first === 'limits' ? 'forms' : 'limits', 'all', 'bare'];
  const tried = new Set([JSON.stringify(before === undefined ? schema : plainSchema(schema, before))]);
  return steps.slice(before === undefined ? 0 : steps.indexOf(before) + 1).filter((step) => {
    const text = JSON.stringify(plainSchema(schema, step));
    return tried.size < tried.add(text).size;
  });
}

/** The tool that a server names when it rejects a schema. A tool whose schema is plain is never meant. */
export function namedTool(tools: readonly ToolDefinition[], said: string): string | undefined {
  const suspects = tools.filter((tool) => oddityOf(tool.inputSchema) > 0);
  const index = /\btools[.[](\d+)/.exec(said)?.[1];
  const numbered = index === undefined ? undefined : tools[Number(index)]?.name;
  return (suspects.find(({ name }) => name === numbered) ?? suspects.find(({ name }) => isNamedIn(said, name)))?.name;
}

/** The tool with the most unusual schema; `undefined` when all are plain. */
export function oddestTool(tools: readonly ToolDefinition[]): string | undefined {
  const rated = tools.map((tool) => ({ name: tool.name, oddity: oddityOf(tool.inputSchema) }));
  return rated.filter(({ oddity }) => oddity > 0).toSorted((one, other) => other.oddity - one.oddity)[0]?.name;
}

/** Keywords that bound a value and say nothing of its form. */
const LIMITS: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  // Rejected by name, or turned into grammars that are too large.
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minProperties',
  'maxProperties',
]);

/** Keywords that give a value its form. */
const FORMS: ReadonlySet<string> = new Set(['oneOf', '$ref', '$defs', 'definitions']);

/** Keywords that most tools use. */
const USUAL: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'description',
  'title',
  'enum',
  'default',
  'additionalProperties',
  'minimum',
  'maximum',
  '$schema',
]);

const TYPES: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Keywords that need a choice at least. */
const CHOICES: ReadonlySet<string> = new Set(['enum', 'anyOf', 'allOf']);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** Whether a server says that it does not take one of these keywords. */
export function rejectsKeyword(said: string): boolean {
  const at = NAMED.exec(said);
  return at !== null && REJECTED.test(said.slice(Math.max(0, at.index - 120), at.index + 160));
}

/** Whether a server's words are about the form of a value. Seen on llama-server 0.7.0. */
export function rejectsForm(said: string): boolean {
  return REJECTED_FORM.test(said);
}

const REJECTED_FORM =
  /\$(?:ref|defs)\b|\b(?:oneOf|anyOf)\b|unrecogni[sz]ed type|schema must be an object|must be a non-empty array/;

/** Names that are words of English count in quotes only. */
const NAMED = new RegExp(
  [...LIMITS, ...FORMS]
    .map((key) =>
      /^(?:pattern|format|definitions)$/.test(key) ? `["'\`]${key}["'\`]` : key.replace('$', String.raw`\$`),
    )
    .join('|'),
);
const REJECTED =
  /not (?:supported|permitted|allowed|valid|recogni[sz]ed)|unsupported|unpermitted|unknown|unrecogni[sz]ed|unexpected|invalid|forbidden/i;

function strip(value: JsonValue, step: ToolSchemaStep): JsonValue {
  if (Array.isArray(value)) return value.map((item) => strip(item, step));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
      if ((step !== 'forms' && LIMITS.has(key)) || (step !== 'limits' && FORMS.has(key))) return [];
      if (step === 'bare' && !USUAL.has(key)) return [];
      if (key === 'type') return step === 'limits' ? [[key, item]] : knownTypes(item);
      if (step !== 'limits' && CHOICES.has(key) && Array.isArray(item) && item.length === 0) return [];
      if (DATA.has(key)) return [[key, item]];
      if (key === 'items' && !Array.isArray(item)) return [[key, stripSchema(item, step)]];
      if (!MAPS.has(key) || !isJsonObject(item)) return [[key, strip(item, step)]];
      return [
        [key, Object.fromEntries(Object.entries(item).map(([name, schema]) => [name, stripSchema(schema, step)]))],
      ];
    }),
  );
}

/** `true` and everything else that is no object allows any value. */
function stripSchema(schema: JsonValue, step: ToolSchemaStep): JsonValue {
  if (isJsonObject(schema)) return strip(schema, step);
  return step === 'limits' ? schema : {};
}

function knownTypes(type: JsonValue): [string, JsonValue][] {
  if (!Array.isArray(type)) return TYPES.has(type) ? [['type', type]] : [];
  const known = type.filter((one) => TYPES.has(one));
  return known.length === 0 ? [] : [['type', known]];
}

function oddityOf(schema: JsonObject): number {
  return countKeywords(schema, (key) => !USUAL.has(key));
}

function countKeywords(value: JsonValue, isCounted: (key: string) => boolean): number {
  if (Array.isArray(value))
    return value.reduce((sum: number, item: JsonValue) => sum + countKeywords(item, isCounted), 0);
  if (!isJsonObject(value)) return 0;
  let count = 0;
  for (const [key, item] of Object.entries(value)) {
    if (isCounted(key)) count += 1;
    if (DATA.has(key)) continue;
    const inner = MAPS.has(key) && isJsonObject(item) ? Object.values(item) : [item];
    for (const schema of inner) count += countKeywords(schema, isCounted);
  }
  return count;
}

function isNamedIn(said: string, name: string): boolean {
  const at = said.indexOf(name);
  return at >= 0 && !/[\w-]/.test(`${said[at - 1] ?? ''}${said[at + name.length] ?? ''}`);
}
