import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { ImagePart } from '../../sdk/messages';
import { checkImage } from '../../sdk/images/imagePart';
import { messageOf } from '../../util/errors';
import { MAX_IMAGE_BYTES } from '../../util/images/imageHeader';
import type { PreparePrompt } from './mcpPrompts';

export type ReadImages =
  { readonly ok: true; readonly images: readonly ImagePart[] } | { readonly ok: false; readonly problem: string };

/** Reads the image files that the person named. They are sent as they are. */
export async function readImageFiles(files: readonly string[], folder: string): Promise<ReadImages> {
  const images: ImagePart[] = [];
  for (const file of files) {
    try {
      const bytes = await readBounded(path.resolve(folder, file));
      images.push(checkImage({ type: 'image', image: bytes, name: path.basename(file) }));
    } catch (error) {
      return { ok: false, problem: `--image ${file}: ${messageOf(error)}` };
    }
  }
  return { ok: true, images };
}

async function readBounded(file: string): Promise<Uint8Array> {
  // Otherwise a pipe would wait for its other end. Windows has no such flag.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('This is no file.');
    if (stats.size > MAX_IMAGE_BYTES) throw new Error(`It is larger than ${MAX_IMAGE_BYTES / (1024 * 1024)} MB.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Adds images to the prompt that `prepare` returns. */
export function withImages(prepare: PreparePrompt, images: readonly ImagePart[]): PreparePrompt {
  if (images.length === 0) return prepare;
  return async (text) => {
    const prepared = await prepare(text);
    return prepared && { ...prepared, images };
  };
}
