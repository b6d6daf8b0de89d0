/** A value that survives `JSON.stringify` and `JSON.parse`. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** An object of such values: the arguments of a call, a JSON Schema. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
