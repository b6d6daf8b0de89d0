import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';

/**
 * A separate process like a window. It keeps each text in `folder` and prunes after each, again and again, and prints
 * each text when it is reported as kept. A new object keeps each text, so nothing protects it from the next pruning.
 */
async function main(folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const hash = await createBlobFolder(folder).put(Buffer.from(`text ${index}`), { durable: true });
    process.stdout.write(`${hash}\n`);
    await createBlobFolder(folder).prune({ maxAgeMs: 60 * 60_000, maxBytes: Infinity }, Date.now());
  }
}

void main(process.argv[2] ?? '', Number(process.argv[3]));
