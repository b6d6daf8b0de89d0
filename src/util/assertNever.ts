/** Ends an exhaustive switch: a forgotten case fails to compile, and at run time it throws with the value. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
