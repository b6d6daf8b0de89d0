import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** `import { tool, type Tool } from '../../src/sdk/tool'` and `… from 'open-agent-sdk/mcp'`, over several lines too. */
const imported = /import (?:type )?\{([^}]*)\} from '(?:(?:\.\.\/)+src\/|open-agent-sdk)[^']*'/g;

/** The names that the TypeScript files below `folders` import from the sources or the package and name again afterwards. */
export async function namesUsedIn(folders: readonly string[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
      const text = await readFile(path.join(entry.parentPath, entry.name), 'utf8');
      const rest = text.replaceAll(imported, '');
      for (const [, list = ''] of text.matchAll(imported)) {
        for (const each of list.split(',')) {
          const [name = '', alias = name] = each
            .trim()
            .replace(/^type /, '')
            .split(' as ');
          if (name !== '' && new RegExp(`\\b${alias}\\b`).test(rest)) used.add(name);
        }
      }
    }
  }
  return used;
}
