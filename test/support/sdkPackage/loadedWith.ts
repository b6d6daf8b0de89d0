import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** `import { a } from "./chunk.js"`, `import "./chunk.js"` and `export * from "node:path"`, as esbuild writes them. */
const statement = /^(?:import|export|\})(?:[^"';()]*\bfrom)? ?"([^"]+)";$/gm;

/** What Node loads with an ES module of `folder` before its code runs. */
export async function loadedWith(
  folder: string,
  entry: string,
): Promise<{ readonly files: readonly string[]; readonly bytes: number; readonly builtins: readonly string[] }> {
  const files = new Set<string>();
  const builtins = new Set<string>();
  let bytes = 0;
  const load = async (file: string): Promise<void> => {
    if (files.has(file)) return;
    files.add(file);
    const text = await readFile(path.join(folder, file), 'utf8');
    bytes += Buffer.byteLength(text);
    for (const [, name = ''] of text.matchAll(statement)) {
      if (name.startsWith('./')) await load(name.slice(2));
      else builtins.add(name);
    }
  };
  await load(entry);
  return { files: [...files], bytes, builtins: [...builtins].toSorted() };
}
