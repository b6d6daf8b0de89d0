/** Ends an exhaustive switch: the compiler rejects a forgotten case, the runtime names the value that slipped through. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
