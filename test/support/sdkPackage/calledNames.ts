import type { EntryNames } from './wrongNames';

/**
 * A module for `program.mjs` that stands in for an entry of the package. It notes which of the values are called, made, compared with
 * or read, and prints them at the end on the standard error, one JSON list for each entry.
 */
export function watchingModule({ from, names }: EntryNames): string {
  const values = names.flatMap(({ name, kind }) => (kind === 'type' ? [] : [name]));
  return `import * as real from '${from}';
const used = new Set();
const watched = (name) => new Proxy(real[name], {
  apply: (target, self, given) => (used.add(name), Reflect.apply(target, self, given)),
  construct: (target, given, made) => (used.add(name), Reflect.construct(target, given, made)),
  get: (target, key) => (used.add(name), Reflect.get(target, key)),
});
process.on('exit', () => console.error(JSON.stringify([...used].map((name) => '${from} ' + name))));
${values.map((name) => `export const ${name} = watched('${name}');`).join('\n')}
`;
}

/** What the modules have printed. */
export function calledNames(stderr: string): readonly string[] {
  return stderr.split('\n').flatMap((line) => (line.startsWith('[') ? (JSON.parse(line) as string[]) : []));
}
