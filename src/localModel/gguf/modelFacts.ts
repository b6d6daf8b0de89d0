import * as l10n from '../../util/l10n';
import { open } from 'node:fs/promises';
import { visibleText } from '../../util/text/visibleText';
import type { Architecture } from '../fit/architecture';
import { readGgufFields, type GgufFields, type ReadBytes } from './ggufReader';

/** The facts of a model that its own file tells. All texts are the file's. */
export interface ModelFacts {
  /** Absent: the file does not name it. */
  readonly name?: string | undefined;
  readonly licence?: string | undefined;
  readonly architecture: Architecture;
}

/** Reads the header of a model file. Throws with a text for people. */
export async function readModelFile(file: string): Promise<ModelFacts> {
  const handle = await open(file, 'r');
  try {
    return modelFacts(
      await readGgufFields(async (offset, length) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return buffer.subarray(0, bytesRead);
      }),
    );
  } finally {
    await handle.close();
  }
}

/** The same for an address. */
export async function readModelHeader(read: ReadBytes): Promise<ModelFacts> {
  return modelFacts(await readGgufFields(read));
}

/** Layers with full attention among those with a window, where llama.cpp knows the pattern and the file does not say. */
const fullLayerEvery: Readonly<Record<string, number>> = { gemma2: 2, gemma3: 6, gemma3n: 5, 'gpt-oss': 2 };

/** Takes the facts out of the fields of a header. Throws with a text for people when the memory cannot be told. */
function modelFacts(fields: GgufFields): ModelFacts {
  const kind = textOf(fields, 'general.architecture');
  if (kind === undefined) throw new Error(l10n.t('This GGUF file does not name its architecture.'));
  const number = (name: string): number | undefined => {
    const value = fields.get(`${kind}.${name}`);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const layers = number('block_count');
  const heads = headsOf(fields, `${kind}.attention.head_count`);
  const kvHeads = fields.get(`${kind}.attention.head_count_kv`) ?? heads;
  const embedding = number('embedding_length');
  if (layers === undefined || embedding === undefined || heads === undefined || heads === 0) {
    throw new Error(l10n.t('This GGUF file is not a language model, or does not say how large it is.'));
  }
  const keyLength = number('attention.key_length') ?? embedding / heads;
  const latent = number('attention.kv_lora_rank');
  const window = number('attention.sliding_window');
  const every = fullLayerEvery[kind];
  const recurrentEvery = number('full_attention_interval');
  const trained = number('context_length');
  const name = textOf(fields, 'general.name');
  const licence = textOf(fields, 'general.license');
  return {
    ...(name !== undefined && { name }),
    ...(licence !== undefined && { licence }),
    architecture: {
      kind,
      layers,
      // A list has one number for each layer. Layers without attention have 0.
      kvHeads: typeof kvHeads === 'number' ? kvHeads : Array.isArray(kvHeads) ? average(kvHeads) : heads,
      keyLength,
      valueLength: number('attention.value_length') ?? keyLength,
      ...(latent !== undefined && { latentLength: latent + (number('rope.dimension_count') ?? 0) }),
      ...(window !== undefined &&
        window > 0 &&
        every !== undefined && { window: { length: window, fullEvery: every } }),
      ...(recurrentEvery !== undefined && recurrentEvery > 0 && { attentionEvery: recurrentEvery }),
      ...(trained !== undefined && { trainedContext: trained }),
    },
  };
}

function headsOf(fields: GgufFields, name: string): number | undefined {
  const value = fields.get(name);
  if (typeof value === 'number') return value;
  return Array.isArray(value) && value.length > 0 ? Math.max(...value) : undefined;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const MAX_TEXT = 200;

function textOf(fields: GgufFields, name: string): string | undefined {
  const value = fields.get(name);
  if (typeof value !== 'string') return undefined;
  // It stands in questions: one line, and nothing in it is hidden.
  const line = visibleText(value.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ').trim(), 'path');
  return line === '' ? undefined : line.slice(0, MAX_TEXT);
}
