import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** `export { Client, type RunOptions } from './client.js'` and `export type * from './messages.js'`. */
const reExport = /^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)\.js';$/gm;

/** A declaration with a name, after its docstring or after anything else. */
const declaration = /^export (?:declare )?(?:abstract )?(?:function|class|interface|type|const) (\w+)/gm;

/** A member of a class that a caller can see: a method, a field or an accessor. The constructor is one. */
const member = /^ {4}(?:static |readonly |get |set |async )*([\w[\].]+)[?(:<]/gm;

/** The public names of an entry's declarations. `undocumented` has those without a docstring, and the members of classes. */
export async function publicNames(
  entry: string,
): Promise<{ readonly names: readonly string[]; readonly undocumented: readonly string[] }> {
  const names: string[] = [];
  const undocumented: string[] = [];
  for (const [, list, target = ''] of (await readFile(entry, 'utf8')).matchAll(reExport)) {
    const text = await readFile(path.join(path.dirname(entry), `${target}.d.ts`), 'utf8');
    const declared = [...text.matchAll(declaration)];
    const wanted = list === undefined ? declared.map(([, name = '']) => name) : namesIn(list);
    for (const name of wanted) {
      const found = declared.filter(([, each]) => each === name);
      if (found.length === 0) throw new Error(`${target} declares no ${name}.`);
      names.push(name);
      if (!found.every(({ index }) => hasDocstring(text, index))) undocumented.push(name);
      undocumented.push(...membersWithout(text, found[0]?.index ?? 0).map((each) => `${name}.${each}`));
    }
  }
  return { names, undocumented };
}

/** `Client, type RunOptions` → `Client`, `RunOptions`. */
function namesIn(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '');
}

/** The undocumented members of a class. Fields of an interface may be clear from their names. */
function membersWithout(text: string, start: number): readonly string[] {
  const end = text.indexOf('\n}', start);
  if (!/^export declare (abstract )?class /.test(text.slice(start)) || end === -1) return [];
  const body = text.slice(start, end);
  return [...body.matchAll(member)].filter(({ index }) => !hasDocstring(body, index)).map(([, name = '']) => name);
}

function hasDocstring(text: string, index: number): boolean {
  return text.slice(0, index).trimEnd().endsWith('*/');
}
