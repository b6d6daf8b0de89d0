import { seededRandom } from '../../support/seededRandom';
import { float32, lengthOf, readMetadata, text, uint32, writeGguf, type Float16, type GgufTensor } from './gguf';

const size = { embedding: 64, layers: 2, heads: 4, feedForward: 128, contextLength: 131_072 } as const;

/**
 * A model with a real vocabulary and random weights, as a GGUF file: it behaves as a model in everything but sense.
 * `vocabulary`: a GGUF file with a vocabulary. `template`: a Jinja chat template, or undefined to have none.
 */
export function tinyModel(vocabulary: Buffer, template: string | undefined): Buffer {
  const source = readMetadata(vocabulary);
  const { embedding, layers, heads, feedForward, contextLength } = size;
  const metadata = new Map([
    ['general.architecture', text('llama')],
    ['general.name', text('Tiny model with random weights')],
    ['llama.context_length', uint32(contextLength)],
    ['llama.embedding_length', uint32(embedding)],
    ['llama.block_count', uint32(layers)],
    ['llama.feed_forward_length', uint32(feedForward)],
    ['llama.attention.head_count', uint32(heads)],
    ['llama.attention.head_count_kv', uint32(heads)],
    ['llama.attention.layer_norm_rms_epsilon', float32(1e-5)],
    ['llama.rope.dimension_count', uint32(embedding / heads)],
    ...[...source].filter(([name]) => name.startsWith('tokenizer.') && !name.startsWith('tokenizer.chat_template')),
  ]);
  if (template !== undefined) metadata.set('tokenizer.chat_template', text(template));
  const words = lengthOf(source.get('tokenizer.ggml.tokens'));
  const random = seededRandom(1);
  const matrix = (name: string, ...shape: readonly number[]): GgufTensor => {
    const values: Float16 = new Uint16Array(shape.reduce((product, length) => product * length, 1));
    // The bits of a half-precision number between 2^-6 and 2^-3, with either sign.
    for (let at = 0; at < values.length; at += 1)
      values[at] = ((random() * 2) << 15) | ((9 + random() * 3) << 10) | (random() * 1024);
    return { name: `${name}.weight`, shape, values };
  };
  const norm = (name: string): GgufTensor => ({
    name: `${name}.weight`,
    shape: [embedding],
    values: new Float32Array(embedding).fill(1),
  });
  const layer = (index: number): readonly GgufTensor[] => [
    norm(`blk.${index}.attn_norm`),
    ...['q', 'k', 'v', 'output'].map((part) => matrix(`blk.${index}.attn_${part}`, embedding, embedding)),
    norm(`blk.${index}.ffn_norm`),
    matrix(`blk.${index}.ffn_gate`, embedding, feedForward),
    matrix(`blk.${index}.ffn_up`, embedding, feedForward),
    matrix(`blk.${index}.ffn_down`, feedForward, embedding),
  ];
  return writeGguf(metadata, [
    matrix('token_embd', embedding, words),
    ...Array.from({ length: layers }, (_, index) => layer(index)).flat(),
    norm('output_norm'),
    matrix('output', embedding, words),
  ]);
}
