import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** `class`: a type and a value. */
export interface PublicName {
  readonly name: string;
  readonly kind: 'type' | 'value' | 'class';
  /** The file of its declaration. */
  readonly file: string;
  /** The declaration with its docstring. */
  readonly text: string;
}

/** `export { Client, type RunOptions } from './client.js';` and `export type * from './messages.js';`. */
const reExport = /export (type )?(?:\{([^}]*)\}|\*) from '([^']+)\.js';/y;

/** A declaration at the start of a line, with everything up to the next one. */
const declaration = /^(?:export )?(?:declare )?(?:abstract )?(function|class|interface|type|const) (\w+)/gm;

/** A member of a class that a caller can see: a method, a field or an accessor. The constructor is one. */
const member = /^ {4}(?:static |readonly |get |set |async )*([\w[\].]+)[?(:<]/gm;

/** The public names of an entry's declarations. Throws for a form of export that it does not know, so none is overlooked. */
export async function publicNames(entry: string): Promise<readonly PublicName[]> {
  const found: PublicName[] = [];
  for (const { isType, list, target } of reExportsIn(await readFile(entry, 'utf8'))) {
    const file = path.join(path.dirname(entry), `${target}.d.ts`);
    const declared = declarationsIn(await readFile(file, 'utf8')).filter(({ isExported }) => isExported);
    const wanted = list === undefined ? declared.map(({ name }) => ({ name, isType: false })) : namesIn(list);
    for (const { name, isType: isTypeOnly } of wanted) {
      const own = declared.filter((each) => each.name === name);
      const [first] = own;
      if (!first) throw new Error(`${target} declares no ${name}.`);
      const kind = isType || isTypeOnly ? 'type' : first.kind;
      found.push({ name, kind, file, text: own.map(({ text }) => text).join('\n') });
    }
  }
  return found;
}

/** The names without a docstring that says something, and the members of classes without one. */
export function undocumentedIn(names: readonly PublicName[]): readonly string[] {
  return names.flatMap(({ name, text }) => [
    ...(saysSomething(docstringBefore(text, text.search(/^(?:export|declare) /m))) ? [] : [name]),
    ...membersWithout(text).map((each) => `${name}.${each}`),
  ]);
}

/**
 * The names that declarations of public names mention and nobody can import: not public, and declared in the package. `known` are
 * names that are right so.
 */
export async function hiddenNamesIn(
  names: readonly PublicName[],
  isPublic: (name: string) => boolean,
): Promise<readonly string[]> {
  const hidden = new Set<string>();
  for (const { name, file, text } of names) {
    const source = await readFile(file, 'utf8');
    const own = declarationsIn(source).map((each) => each.name);
    const imports = [...source.matchAll(/^import (?:type )?\{([^}]*)\} from '\.[^']*';/gm)];
    const imported = imports.flatMap(([, list = '']) => namesIn(list).map((each) => each.name));
    const words = new Set(withoutComments(text).match(/\b[A-Z]\w*\b/g));
    for (const word of [...own, ...imported]) {
      if (word !== name && words.has(word) && !isPublic(word)) hidden.add(`${name}: ${word}`);
    }
  }
  return [...hidden].toSorted();
}

interface ReExport {
  /** Nothing but types, also of classes. */
  readonly isType: boolean;
  /** Absent: everything. */
  readonly list: string | undefined;
  readonly target: string;
}

function reExportsIn(source: string): readonly ReExport[] {
  const text = withoutComments(source).trim();
  const found: ReExport[] = [];
  for (reExport.lastIndex = 0; reExport.lastIndex < text.length;) {
    const at = reExport.lastIndex;
    const [, type, list, target = ''] = reExport.exec(text) ?? [];
    if (target === '') throw new Error(`An entry has something that is no known export: ${text.slice(at, at + 80)}`);
    found.push({ isType: type !== undefined, list, target });
    while (/\s/.test(text[reExport.lastIndex] ?? '')) reExport.lastIndex += 1;
  }
  return found;
}

interface Declared extends Pick<PublicName, 'name' | 'kind' | 'text'> {
  readonly isExported: boolean;
}

function declarationsIn(source: string): readonly Declared[] {
  const found = [...source.matchAll(declaration)];
  return found.map((match, index) => {
    const [head, keyword = '', name = ''] = match;
    const docstring = docstringBefore(source, match.index);
    const next = found[index + 1];
    const end = next ? next.index - docstringBefore(source, next.index).length : source.length;
    const kind = keyword === 'class' ? 'class' : keyword === 'function' || keyword === 'const' ? 'value' : 'type';
    const text = `${docstring}${source.slice(match.index, end)}`;
    return { name, kind, text, isExported: head.startsWith('export ') };
  });
}

/** `Client, type RunOptions` → `Client`, `RunOptions`. */
function namesIn(list: string): readonly { readonly name: string; readonly isType: boolean }[] {
  return list.split(',').flatMap((each) => {
    const [, type, name = ''] = /^(type )?(.*)$/.exec(each.trim()) ?? [];
    if (name.includes(' ')) throw new Error(`An export has another name: ${name}`);
    return name === '' ? [] : [{ name, isType: type !== undefined }];
  });
}

/** The undocumented members of a class. Fields of an interface may be clear from their names. */
function membersWithout(text: string): readonly string[] {
  const start = text.search(/^export (declare )?(abstract )?class /m);
  if (start === -1) return [];
  const body = text.slice(start, text.indexOf('\n}', start));
  const members = [...body.matchAll(member)].filter(([line]) => !/^ {4}(private|#)/.test(line));
  return members
    .filter(({ index }) => !saysSomething(docstringBefore(body, index)))
    .map(([, name = '']) => name)
    .filter((name) => name !== 'private');
}

/** The comment that ends right before `index`, with the space between. */
function docstringBefore(text: string, index: number): string {
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, Math.max(index, 0)))?.[0] ?? '';
}

/** At least two words. */
function saysSomething(docstring: string): boolean {
  return (docstring.replace(/[/*]/g, ' ').match(/\p{L}[\p{L}\p{N}'.`-]*/gu)?.length ?? 0) >= 2;
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
