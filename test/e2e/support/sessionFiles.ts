import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The path of the session file that contains a text; `undefined` when there is none yet. */
export async function findSessionFile(root: string, text: string): Promise<string | undefined> {
  for (const name of await readdir(root, { recursive: true })) {
    const file = path.join(root, name);
    if (name.endsWith('.jsonl') && (await readFile(file, 'utf8')).includes(text)) return file;
  }
  return undefined;
}

/** The path of the session file that contains a text. Throws when there is none. */
export async function sessionFileWith(root: string, text: string): Promise<string> {
  return (await findSessionFile(root, text)) ?? assert.fail(`No session file under ${root} holds "${text}".`);
}
