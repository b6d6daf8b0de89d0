import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../util/json';
import type { FoundModelFile } from './foundModelFile';

const MAX_MANIFESTS = 200;
const MAX_MANIFEST_BYTES = 100_000;

const manifestSchema = z.object({
  layers: z
    .array(z.object({ mediaType: z.string().max(200), digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) }))
    .max(100),
});

/** The models that Ollama has pulled. Its manifests name the file of each model by its checksum. */
export async function findOllamaModels(folder: string): Promise<readonly FoundModelFile[]> {
  const manifests = path.join(folder, 'manifests');
  const entries = await readdir(manifests, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: FoundModelFile[] = [];
  for (const entry of entries.filter((one) => one.isFile()).slice(0, MAX_MANIFESTS)) {
    const file = path.join(entry.parentPath, entry.name);
    const digest = await modelDigest(file);
    if (digest === undefined) continue;
    const blob = path.join(folder, 'blobs', digest.replace(':', '-'));
    const size = await stat(blob).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size > 0) found.push({ file: blob, name: nameOf(path.relative(manifests, file)), bytes: size, from: 'Ollama' });
  }
  return found;
}

async function modelDigest(file: string): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size > MAX_MANIFEST_BYTES) return undefined;
  const manifest = manifestSchema.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '')));
  if (!manifest.success) return undefined;
  const { layers } = manifest.data;
  // A model that sees has its projector in a file of its own, and is started without it.
  return layers.find(({ mediaType }) => mediaType === 'application/vnd.ollama.image.model')?.digest;
}

/** `registry.ollama.ai/library/qwen3/8b` is `qwen3:8b`. */
function nameOf(relative: string): string {
  const parts = relative.split(path.sep);
  const tag = parts.at(-1) ?? '';
  const names = parts.slice(1, -1);
  return `${(names[0] === 'library' ? names.slice(1) : names).join('/')}:${tag}`;
}
