import * as z from 'zod';
import { parseJson, type JsonObject } from '../../util/json';
import { AgentError } from '../errors';
import { messageOf } from '../../util/errors';
import { describeIssues } from '../../util/zodIssues';
import { describeSchema } from './describeSchema';
import { checkValue, isStandardSchema, type StandardSchema } from './standardSchema';

/** The schema of an answer: a zod type (3.25 or later), another Standard Schema that gives a JSON Schema, or a JSON Schema. */
export type OutputSchema = StandardSchema | JsonObject;

/** A schema whose values have the type `Output`. Those of a JSON Schema have no type. */
export type OutputSchemaOf<Output> = StandardSchema<unknown, Output> | JsonObject;

export type OutputCheck =
  | { readonly ok: true; readonly value: unknown }
  /** `error` is for the model: it names every field that is wrong. */
  | { readonly ok: false; readonly error: string };

export interface CompiledOutput {
  readonly jsonSchema: JsonObject;
  /** For the system prompt. */
  readonly instruction: string;
  /** Finds the value in an answer and checks it. The value has zod's defaults and transforms applied. */
  check(answer: string): OutputCheck;
}

/** Throws `invalid_options` for a schema that cannot be described to a model or checked. */
export function compileOutputSchema(schema: OutputSchema): CompiledOutput {
  const { type, jsonSchema } = isStandardSchema(schema) ? describeStandard(schema) : readJsonSchema(schema);
  return {
    jsonSchema,
    instruction:
      'Your final answer must be one JSON value that matches this JSON Schema, and nothing else: no explanation, no code ' +
      `fence.\n${JSON.stringify(jsonSchema)}`,
    check(answer) {
      const found = findJson(answer);
      if (!found) return { ok: false, error: 'the answer is not valid JSON' };
      const checked = checkValue(type, found.value);
      return checked.ok ? checked : { ok: false, error: describeIssues(checked) };
    },
  };
}

/** The message to the model after an answer that does not match. */
export function correctionOf(error: string): string {
  return `Your answer does not match the JSON Schema: ${error}. Answer again, with the corrected JSON value and nothing else.`;
}

interface ReadSchema {
  readonly type: StandardSchema;
  readonly jsonSchema: JsonObject;
}

function describeStandard(type: StandardSchema): ReadSchema {
  try {
    return { type, jsonSchema: describeSchema(type) };
  } catch (cause) {
    throw unusable(
      `it cannot be described to a model: ${messageOf(cause)}. Use plain types, or pass a JSON Schema`,
      cause,
    );
  }
}

function readJsonSchema(jsonSchema: JsonObject): ReadSchema {
  try {
    return { type: z.fromJSONSchema(jsonSchema), jsonSchema };
  } catch (cause) {
    throw unusable(messageOf(cause), cause);
  }
}

function unusable(why: string, cause: unknown): AgentError {
  return new AgentError({ code: 'invalid_options', message: `outputSchema cannot be used: ${why}.` }, { cause });
}

/** Models put fences and words around a correct value. A value that is cut off is never completed. */
function findJson(answer: string): { readonly value: unknown } | undefined {
  const text = answer.trim();
  const fenced = lastFenced(text);
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const bare = start >= 0 && end > start ? text.slice(start, end + 1) : undefined;
  for (const candidate of [text, fenced, bare]) {
    const value = candidate === undefined ? undefined : parseJson(candidate);
    if (value !== undefined) return { value };
  }
  return undefined;
}

/** The text in the last fence. A fence ends at the next one that begins a line. */
function lastFenced(text: string): string | undefined {
  const lines = text.split('\n');
  let found: string | undefined;
  let start: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (start === undefined) {
      if (/```[a-z]*\s*$/i.test(line)) start = index + 1;
    } else if (line.trimStart().startsWith('```')) {
      found = lines.slice(start, index).join('\n');
      start = undefined;
    }
  }
  return found;
}
