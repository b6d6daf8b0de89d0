import path from 'node:path';
import * as z from 'zod';
import { unlessMissing, writeWhole, type DiskCalls } from './sessionDisk';
import { SessionSketch } from './summarise';

const VERSION = 1;

const IndexedFile = z.object({
  /** Of the file this was made from: another size or time, and it counts for nothing. */
  size: z.number(),
  modifiedMs: z.number(),
  /** `null`: the file holds no entry. */
  sketch: SessionSketch.nullable(),
});
export type IndexedFile = z.infer<typeof IndexedFile>;

const Index = z.object({ v: z.literal(VERSION), files: z.record(z.string(), IndexedFile) });

/** What is known of the files of a folder, by session id, from `index.json`. A missing or broken one is empty. */
export async function readIndex(directory: string, { readFile }: DiskCalls): Promise<Map<string, IndexedFile>> {
  const text = await unlessMissing(readFile(indexPath(directory), 'utf8'));
  const parsed = Index.safeParse(text === undefined ? undefined : parseJson(text));
  return new Map(Object.entries(parsed.data?.files ?? {}));
}

/** Replaces `index.json`. Two windows that do so at a time are no harm: whatever is stale is made anew. */
export async function writeIndex(
  directory: string,
  files: ReadonlyMap<string, IndexedFile>,
  options: { readonly disk: DiskCalls; readonly token: string },
): Promise<void> {
  await writeWhole(indexPath(directory), JSON.stringify({ v: VERSION, files: Object.fromEntries(files) }), options);
}

function indexPath(directory: string): string {
  return path.join(directory, 'index.json');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
