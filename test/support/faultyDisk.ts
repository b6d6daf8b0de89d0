import type { FileHandle } from 'node:fs/promises';
import type { DiskCalls } from '../../src/agent/sessions/sessionDisk';

/** What `withFault` gives: the calls, and how many there were. */
export interface FaultyDisk {
  readonly disk: DiskCalls;
  readonly callCount: () => number;
}

/**
 * The calls of a disk, the `at`th of which fails with `code`: those on open files are counted too. `short`: nothing
 * fails, but a write takes half of what it is given.
 */
export function withFault(real: DiskCalls, { at, code }: { readonly at: number; readonly code: string }): FaultyDisk {
  let calls = 0;
  const faulty = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          // A file whose closing fails is closed all the same.
          if (calls === at && name === 'close') await Reflect.apply(value, object, args);
          if (calls === at && code !== 'short') throw Object.assign(new Error(`${code}: ${String(name)}`), { code });
          if (calls === at && name === 'write' && args[0] instanceof Uint8Array) {
            args[0] = args[0].subarray(0, args[0].length / 2);
          }
          const result: unknown = await Reflect.apply(value, object, args);
          return name === 'open' ? faulty(result as FileHandle) : result;
        };
      },
    });
  // A module's own properties cannot be replaced, a copy's can.
  return { disk: faulty({ ...real }), callCount: () => calls };
}
