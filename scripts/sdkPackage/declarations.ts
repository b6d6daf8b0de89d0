import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** `from './messages'`, `import('./messages')` and `import './messages'` in what the compiler writes. */
const specifier = /(\bfrom |\bimport\(|\bimport )(['"])(\.[^'"]*)\2/g;

/**
 * The declarations that `entries` need, by path relative to `folder`. The compiler writes one file for each source, with
 * imports that only bundlers find. Here each has the name of its file, so that Node's rules find it too.
 */
export async function declarationsOf(folder: string, entries: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const here = path.posix.dirname(file);
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const [, , , target = ''] of text.matchAll(specifier)) waiting.push(`${path.posix.join(here, target)}.d.ts`);
    found.set(file, text.replaceAll(specifier, '$1$2$3.js$2'));
  }
  return found;
}
