import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../src/util/json';
import { LlamaServer } from '../../test/live/engines/llamaServer';
import { liveParts } from '../../test/live/install/liveParts';
import type { Vocabulary } from '../../test/live/install/installModels';
import { tinyModel } from '../../test/live/models/tinyModel';

/** A family of models: the chat template, and the vocabulary with which its tokens are counted. */
export interface Family {
  readonly name: string;
  readonly template: string;
  readonly vocabulary: Vocabulary;
}

/**
 * The families that people use most for code and whose vocabulary can be had. The vocabulary of Qwen2 lacks the tags of
 * tool calls, which are one token each in Qwen3, so that its counts are a little too high.
 */
export const families: readonly Family[] = [
  { name: 'Qwen2.5', template: 'Qwen-Qwen2.5-7B-Instruct', vocabulary: 'qwen2' },
  { name: 'Qwen3', template: 'Qwen-Qwen3-0.6B', vocabulary: 'qwen2' },
  { name: 'Qwen3-Coder', template: 'Qwen3-Coder', vocabulary: 'qwen2' },
  { name: 'Qwen3.5', template: 'Qwen3.5-4B', vocabulary: 'qwen35' },
  { name: 'Llama 3.1', template: 'meta-llama-Llama-3.1-8B-Instruct', vocabulary: 'llama-bpe' },
  { name: 'Gemma 4', template: 'google-gemma-4-31B-it', vocabulary: 'gemma-4' },
];

/** The tokens of a request as a real llama-server renders and counts it; or the reason why there is none. */
export async function countPromptTokens(body: JsonObject): Promise<ReadonlyMap<string, number> | string> {
  const parts = await liveParts();
  if (!parts.ok) return parts.reason;
  const { server, models } = parts;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'open-agent-prompt-'));
  try {
    const counts = new Map<string, number>();
    for (const { name, template, vocabulary } of families) {
      const model = path.join(folder, `${vocabulary}.gguf`);
      await writeFile(
        model,
        tinyModel(await readFile(path.join(models.vocabularies, `${vocabulary}.gguf`)), undefined),
      );
      await using engine = await LlamaServer.start(server, {
        model,
        template: path.join(models.templates, `${template}.jinja`),
      });
      const rendered = await engine.post('/apply-template', body);
      const prompt = isJsonObject(rendered.body) ? rendered.body['prompt'] : undefined;
      const counted = await engine.post('/tokenize', { content: prompt ?? '', parse_special: true });
      counts.set(name, (counted.body as { readonly tokens: readonly unknown[] }).tokens.length);
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
