import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './projectRoot';

/**
 * `package.json` with its texts in English, as VS Code shows them: each `%key%` stands for a text of `package.nls.json`.
 * Throws if a text is missing.
 */
export function readManifest(folder: string = projectRoot): unknown {
  const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
  const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  return JSON.parse(read('package.json'), (_, value: unknown) => {
    const key = typeof value === 'string' ? nlsKey(value) : undefined;
    if (key === undefined) return value;
    if (texts[key] === undefined) throw new Error(`package.nls.json has no text for ${key}.`);
    return texts[key];
  });
}

/** The key in `%key%`. Undefined: the value is not a key. */
export function nlsKey(value: string): string | undefined {
  return /^%([\w.-]+)%$/.exec(value)?.[1];
}
