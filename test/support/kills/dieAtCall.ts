import fs from 'node:fs';
import nodeFiles from 'node:fs/promises';

/**
 * For `node --require`. The process kills itself before its `DIE_AT`th call that changes files, as `kill -9` would do. With
 * `DIE_TORN=1`, half of a write has happened by then. With `DIE_COUNT`, the count is written to that file when it ends.
 */
const { DIE_AT = '0', DIE_TORN, DIE_COUNT } = process.env;
const at = Number(DIE_AT);
let count = 0;

type Call = (this: unknown, ...args: unknown[]) => unknown;
const realOpen = nodeFiles.open;

/** Replaces methods of a module or prototype by methods that count. `tear` does half of a call. */
function watch(target: object, names: readonly string[], tear?: (self: unknown, data: unknown) => void): void {
  const methods = target as Record<string, Call | undefined>;
  for (const name of names) {
    const real = methods[name];
    if (!real) continue;
    methods[name] = function (...args) {
      if (isChange(name, args)) step(() => tear?.(this, args[0]));
      return Reflect.apply(real, this, args);
    };
  }
}

function isChange(name: string, [, flags]: readonly unknown[]): boolean {
  if (name !== 'open') return true;
  return typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : flags !== 'r' && flags !== undefined;
}

function step(tear: () => void): void {
  count += 1;
  if (count !== at) return;
  if (DIE_TORN === '1') tear();
  process.kill(process.pid, 'SIGKILL');
  // Nothing may happen until the signal arrives.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function writeHalf(self: unknown, data: unknown): void {
  if (!(data instanceof Uint8Array) && typeof data !== 'string') return;
  const bytes = Buffer.from(data as Uint8Array);
  fs.writeSync((self as { readonly fd: number }).fd, bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

/** A handle's methods are on a prototype that only a handle leads to. */
let isWatchingHandles = false;
nodeFiles.open = async (...args) => {
  const handle = await realOpen(...args);
  if (!isWatchingHandles) {
    isWatchingHandles = true;
    watch(Object.getPrototypeOf(handle) as object, ['write', 'writeFile', 'truncate', 'sync'], writeHalf);
  }
  return handle;
};
watch(nodeFiles, ['open', 'writeFile', 'link', 'rename', 'unlink', 'rm', 'rmdir', 'mkdir', 'chmod', 'chown', 'utimes']);
watch(fs, ['writeFileSync', 'mkdirSync', 'rmSync', 'appendFileSync']);
if (DIE_COUNT !== undefined) {
  const write = fs.writeFileSync;
  process.on('exit', () => write(DIE_COUNT, String(count)));
}
