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

/** What walks through a value or sends it to another process overflows its stack at a few thousand levels. */
const MAX_LEVELS = 500;
/** For values of calls and results. An entry of a session holds them some levels deeper. */
export const MAX_VALUE_LEVELS = 400;

/** Whether arrays and objects nest deeper than any real data. */
export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Values of JSON inherit nothing, and listing their keys would take longer.
  for (const key in value) if (isTooDeep((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
