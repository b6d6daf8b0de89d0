import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readGgufFields } from '../../../src/localModel/gguf/ggufReader';
import { readModelHeader } from '../../../src/localModel/gguf/modelFacts';
import { text, uint32, writeGguf, type GgufValue } from '../../live/models/gguf';

/** A list of texts, as vocabularies are. */
function texts(count: number): GgufValue {
  const parts: Buffer[] = [Buffer.alloc(12)];
  parts[0]!.writeUInt32LE(8, 0);
  parts[0]!.writeBigUInt64LE(BigInt(count), 4);
  for (let index = 0; index < count; index += 1) {
    const word = Buffer.from(`word ${index}`);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(word.length));
    parts.push(length, word);
  }
  return { type: 'array', bytes: Buffer.concat(parts) };
}

const header = (fields: Readonly<Record<string, GgufValue>>): Buffer =>
  writeGguf(new Map(Object.entries(fields)), [{ name: 't', shape: [4], values: new Float32Array(4) }]);
const qwen = {
  'general.architecture': text('qwen3'),
  'tokenizer.ggml.tokens': texts(50_000),
  'general.license': text('apache-2.0'),
  'general.name': text('Qwen3 8B'),
  'qwen3.block_count': uint32(36),
  'qwen3.context_length': uint32(40_960),
  'qwen3.embedding_length': uint32(4_096),
  'qwen3.attention.head_count': uint32(32),
  'qwen3.attention.head_count_kv': uint32(8),
  'qwen3.attention.key_length': uint32(128),
  'qwen3.attention.value_length': uint32(128),
};
const from = (file: Buffer) => async (offset: number, length: number) => file.subarray(offset, offset + length);

describe('the header of a GGUF file', () => {
  it('tells what decides the memory, with a vocabulary in between', async () => {
    assert.deepEqual(await readModelHeader(from(header(qwen))), {
      name: 'Qwen3 8B',
      licence: 'apache-2.0',
      architecture: {
        kind: 'qwen3',
        layers: 36,
        kvHeads: 8,
        keyLength: 128,
        valueLength: 128,
        trainedContext: 40_960,
      },
    });
  });

  it('puts its texts on one line, with hidden characters by name: they stand in questions', async () => {
    const hostile = {
      ...qwen,
      'general.license': text('mit\n\n\u202eTogether 1 kB\u001b[2J'),
      'general.name': text(' \n'),
    };
    const { licence, name } = await readModelHeader(from(header(hostile)));
    assert.equal(licence, 'mit <U+202E>Together 1 kB<ESC>[2J');
    assert.equal(name, undefined);
  });

  it('derives the length of a head, and knows the windows of gemma3', async () => {
    const { architecture } = await readModelHeader(
      from(
        header({
          'general.architecture': text('gemma3'),
          'gemma3.block_count': uint32(48),
          'gemma3.embedding_length': uint32(3_840),
          'gemma3.attention.head_count': uint32(16),
          'gemma3.attention.head_count_kv': uint32(8),
          'gemma3.attention.sliding_window': uint32(1_024),
        }),
      ),
    );
    assert.deepEqual([architecture.keyLength, architecture.window], [240, { length: 1_024, fullEvery: 6 }]);
  });

  it('refuses other files, and models that do not say how large they are', async () => {
    await assert.rejects(readGgufFields(from(Buffer.from('PK\x03\x04 something else'))), /not a GGUF file/);
    await assert.rejects(
      readModelHeader(from(header({ 'general.architecture': text('clip') }))),
      /not a language model/,
    );
  });

  it('never hangs, reads without bound or crashes on a damaged header', async () => {
    const file = header({ ...qwen, 'tokenizer.ggml.tokens': texts(20) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 600 }),
        fc.uint8Array({ minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: file.length }),
        async (at, bytes, length) => {
          const damaged = Buffer.from(file);
          Buffer.from(bytes).copy(damaged, at);
          let readTotal = 0;
          const read = async (offset: number, wanted: number): Promise<Uint8Array> => {
            readTotal += wanted;
            return damaged.subarray(offset, Math.min(offset + wanted, length));
          };
          await readGgufFields(read).catch((error: Error) => assert.match(error.message, /GGUF/));
          assert.equal(readTotal < 200_000_000, true);
        },
      ),
      { numRuns: 500, seed: 18 },
    );
  });
});
