/**
 * `AbortSignal` of the platform. Declarations with this name for it compile in a project without types of a platform
 * (`@types/node`, or `dom` among the `lib`s): it has only the members below then.
 */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Found } }
  ? Found
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** `fetch` of the platform; any function in a project without types of a platform. */
export type Fetch = typeof globalThis extends { fetch: infer Found } ? Found : (...args: never[]) => unknown;
