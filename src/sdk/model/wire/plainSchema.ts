import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { ToolDefinition } from '../modelProvider';

/**
 * A schema without the keywords that strict servers reject: `pattern`, `format`, `oneOf`, `$ref`, limits of length. Keeps
 * parameters with the name of a keyword. Returns a schema without them unchanged.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  if (!hasStripped(schema)) return schema;
  return strip(schema) as JsonObject;
}

/**
 * The tool that a server most probably rejected: the one it names, otherwise the one with the most unusual schema;
 * `undefined` when all schemas are plain.
 */
export function guiltyTool(tools: readonly ToolDefinition[], said: string): string | undefined {
  const rated = tools.map((tool) => ({ name: tool.name, oddity: oddityOf(tool.inputSchema) }));
  const suspects = rated.filter(({ oddity }) => oddity > 0);
  const index = /\btools[.[](\d+)/.exec(said)?.[1];
  const numbered = index === undefined ? undefined : tools[Number(index)]?.name;
  const named = suspects.find(({ name }) => name === numbered) ?? suspects.find(({ name }) => isNamedIn(said, name));
  return (named ?? suspects.toSorted((one, other) => other.oddity - one.oddity)[0])?.name;
}

const STRIPPED: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'oneOf',
  '$ref',
  '$defs',
  'definitions',
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

/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords whose value is data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** Whether a server says that it does not take one of these keywords. */
export function rejectsKeyword(said: string): boolean {
  const at = NAMED.exec(said);
  return at !== null && REJECTED.test(said.slice(Math.max(0, at.index - 120), at.index + 160));
}

/** Names that are words of English count in quotes only. */
const NAMED = new RegExp(
  [...STRIPPED]
    .map((key) =>
      /^(?:pattern|format|definitions)$/.test(key) ? `["'\`]${key}["'\`]` : key.replace('$', String.raw`\$`),
    )
    .join('|'),
);
const REJECTED =
  /not (?:supported|permitted|allowed|valid|recogni[sz]ed)|unsupported|unpermitted|unknown|unrecogni[sz]ed|unexpected|invalid|forbidden/i;

function strip(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(strip);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !STRIPPED.has(key));
  return Object.fromEntries(
    kept.map(([key, item]): [string, JsonValue] => {
      if (DATA.has(key)) return [key, item];
      if (!MAPS.has(key) || !isJsonObject(item)) return [key, strip(item)];
      return [key, Object.fromEntries(Object.entries(item).map(([name, schema]) => [name, strip(schema)]))];
    }),
  );
}

function hasStripped(schema: JsonValue): boolean {
  return countKeywords(schema, (key) => STRIPPED.has(key)) > 0;
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
