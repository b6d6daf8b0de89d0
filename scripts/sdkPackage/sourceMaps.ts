import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: unknown;
}

/** What the source maps of a build call the project, seen from the folder of a format. */
const project = '../../../';

/**
 * Makes the source maps of `folder`, which has a folder for each of the `formats`, name sources in `folder/src`, instead of
 * holding a copy of each in each format. Debuggers step over code of other packages, whose sources the package does not
 * have. Resolves to the sources that belong there, relative to the project: `src/sdk/client.ts`.
 */
export async function shareSources(folder: string, formats: readonly string[]): Promise<readonly string[]> {
  const own = new Set<string>();
  for (const format of formats) {
    for (const name of await readdir(path.join(folder, format))) {
      if (!name.endsWith('.map')) continue;
      const file = path.join(folder, format, name);
      const { sourcesContent: _, ...map } = JSON.parse(await readFile(file, 'utf8')) as SourceMap;
      const named = map.sources.map((source) => source.replace(project, ''));
      const ignoreList = named.flatMap((source, index) => (isOwn(source) ? [] : [index]));
      for (const source of named) if (isOwn(source)) own.add(source);
      await writeFile(file, JSON.stringify({ ...map, sources: named.map((source) => `../${source}`), ignoreList }));
    }
  }
  return [...own].toSorted();
}

function isOwn(source: string): boolean {
  return source.startsWith('src/');
}
