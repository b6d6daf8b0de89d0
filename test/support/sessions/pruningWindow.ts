import { createBlobFolder } from '../../../src/workspace/node/checkpoints/blobFolder';

/**
 * A process of its own, as a window: keeps each of the texts in `folder` and prunes after each, again and again, and
 * prints which text is kept as soon as that is said. Every text is kept by an object of its own, which protects nothing
 * from the next one's pruning.
 */
async function main(folder: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const hash = await createBlobFolder(folder).put(Buffer.from(`text ${index}`), { durable: true });
    process.stdout.write(`${hash}\n`);
    await createBlobFolder(folder).prune({ maxAgeMs: 60 * 60_000, maxBytes: Infinity }, Date.now());
  }
}

void main(process.argv[2] ?? '', Number(process.argv[3]));
