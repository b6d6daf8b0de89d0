import type { FileHandle } from 'node:fs/promises';

/** Watched calls and their count. */
export interface WatchedCalls<T> {
  readonly calls: T;
  readonly callCount: () => number;
}

/** Error codes for each call in turn. `short` is no error: a write accepts only half of its bytes. */
export const FAULTS: readonly string[] = ['EIO', 'ENOSPC', 'EACCES', 'EROFS', 'EMFILE', 'short'];

interface Call {
  /** Counts from 1, including calls on open files. */
  readonly number: number;
  readonly name: string;
  /** May be replaced. */
  readonly args: unknown[];
}

/** Runs `before` before each call. If it rejects, the call fails and is not made. */
export function watchCalls<T extends object>(
  real: T,
  before: (call: Call) => Promise<void> | undefined,
): WatchedCalls<T> {
  let count = 0;
  const watched = <O extends object>(target: O): O =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          count += 1;
          const call = { number: count, name: String(name), args };
          try {
            await before(call);
          } catch (error) {
            // A failed close closes the file anyway.
            if (name === 'close') await Reflect.apply(value, object, args);
            throw error;
          }
          const result: unknown = await Reflect.apply(value, object, args);
          return name === 'open' ? watched(result as FileHandle) : result;
        };
      },
    });
  // A module's own properties cannot be replaced; those of a copy can.
  return { calls: watched({ ...real }), callCount: () => count };
}

/** The calls of a disk; the `at`th call fails with `code`. */
export function withFault<T extends object>(
  real: T,
  { at, code }: { readonly at: number; readonly code: string },
): WatchedCalls<T> {
  return watchCalls(real, async ({ number, name, args }) => {
    if (number !== at) return;
    if (code !== 'short') throw Object.assign(new Error(`${code}: ${name}`), { code });
    if (name === 'write' && args[0] instanceof Uint8Array) args[0] = args[0].subarray(0, args[0].length / 2);
  });
}

/** Repeats `work`, each time with the next call failing, until no call is left. Returns the number of failed calls. */
export async function failEachCall<T extends object>(
  real: T,
  code: string,
  work: (calls: T, at: number) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at += 1) {
    const { calls, callCount } = withFault(real, { at, code });
    await work(calls, at);
    if (callCount() < at) return at - 1;
  }
}

/** A disk whose process dies. See `withDeath`. */
export interface DyingDisk<T> {
  readonly disk: T;
  /** Resolves when the process is dead. */
  readonly death: Promise<void>;
  /** Closes the open files of the process, as the system does after a kill. */
  readonly bury: () => Promise<void>;
}

/** The calls of a disk until a SIGKILL: from the `at`th on they do not happen and never settle. */
export function withDeath<T extends object>(real: T, at: number): DyingDisk<T> {
  let calls = 0;
  let die = (): void => {};
  const death = new Promise<void>((resolve) => {
    die = resolve;
  });
  const opened: FileHandle[] = [];
  const mortal = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          if (calls >= at) {
            die();
            return new Promise(() => {});
          }
          const result: unknown = await Reflect.apply(value, object, args);
          if (name !== 'open') return result;
          opened.push(result as FileHandle);
          return mortal(result as FileHandle);
        };
      },
    });
  const bury = async (): Promise<void> => {
    for (const handle of opened) await handle.close().catch(() => undefined);
  };
  return { disk: mortal({ ...real }), death, bury };
}
