/** The parts of a zod issue that a message needs. Declared here because `util` imports no package. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Only on issues with the code `unrecognized_keys`. */
  readonly keys?: readonly string[] | undefined;
}

/** Describes what is wrong with a value, a part per issue: `baseUrl: expected string; unknown field port`. */
export function describeIssues({ issues }: { readonly issues: readonly Issue[] }): string {
  return issues.map(describeIssue).join('; ');
}

/** Describes one issue, without a final full stop. */
export function describeIssue({ code, path, message, keys }: Issue): string {
  const field = path.map(String).join('.');
  if (code === 'unrecognized_keys' && keys) {
    return `unknown field ${keys.map((key) => (field === '' ? key : `${field}.${key}`)).join(', ')}`;
  }
  const problem = message.replace(/^Invalid input: /, '').replace(/\.$/, '');
  return field === '' ? problem : `${field}: ${problem}`;
}
