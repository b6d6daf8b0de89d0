// Fills the catalogue of models with sizes, checksums and commits from their hosts, and checks what is there: `npm run catalogue`.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { modelUrl, parseCatalogue, type Catalogue } from '../src/localModel/catalogue/catalogue';
import { openDownload } from '../src/localModel/download/openDownload';
import { readModelHeader } from '../src/localModel/gguf/modelFacts';
import { messageOf } from '../src/util/errors';
import { projectRoot } from './projectRoot';

const file = path.join(projectRoot, 'src/localModel/catalogue/catalogue.json');
const releases = 'https://api.github.com/repos/ggml-org/llama.cpp/releases/latest';
const today = new Date().toISOString().slice(0, 10);

type Model = Catalogue['models'][number];
type Program = Catalogue['programs'][number];

const treeSchema = z.array(
  z.object({ path: z.string(), size: z.number(), lfs: z.object({ oid: z.string() }).optional() }),
);
const releaseSchema = z.object({
  tag_name: z.string(),
  assets: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      digest: z.string().nullish(),
      browser_download_url: z.string(),
    }),
  ),
});

async function json(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}`);
  return response.json();
}

async function fillModel(model: Model): Promise<Model> {
  if (model.repository === undefined) return model;
  const api = `https://huggingface.co/api/models/${model.repository}`;
  const { sha } = z.object({ sha: z.string() }).parse(await json(api));
  const tree = treeSchema.parse(await json(`${api}/tree/${sha}`));
  const found = tree.find(({ path: name }) => name === model.file);
  if (found?.lfs === undefined) throw new Error(`${model.repository} has no ${model.file}`);
  const url = modelUrl({ ...model, revision: sha }, {}) ?? '';
  const { architecture } = await readModelHeader(async (offset, length) => {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    const { response } = await openDownload(url, { fetch, signal: AbortSignal.timeout(120_000), headers });
    return new Uint8Array(await response.arrayBuffer());
  });
  return { ...model, architecture, revision: sha, bytes: found.size, sha256: found.lfs.oid, verifiedOn: today };
}

async function fillProgram(program: Program, release: z.infer<typeof releaseSchema>): Promise<Program> {
  const name = program.asset?.replace('{tag}', release.tag_name);
  const asset = release.assets.find((one) => one.name === name);
  const sha256 = asset?.digest?.replace('sha256:', '');
  if (!asset || !sha256) throw new Error(`the release ${release.tag_name} has no ${name} with a checksum`);
  const { size: bytes, browser_download_url: url } = asset;
  return { ...program, release: release.tag_name, url, bytes, sha256, verifiedOn: today };
}

/** The entry as filled, or as it was when its host does not answer. */
async function filled<T extends { readonly id: string }>(entry: T, fill: () => Promise<T>): Promise<T> {
  try {
    const result = await fill();
    console.log(`ok      ${entry.id}`);
    return result;
  } catch (error) {
    process.exitCode = 1;
    console.log(`failed  ${entry.id}: ${messageOf(error)}`);
    return entry;
  }
}

async function main(): Promise<void> {
  const catalogue = parseCatalogue(JSON.parse(await readFile(file, 'utf8')));
  const models: Model[] = [];
  for (const model of catalogue.models) models.push(await filled(model, () => fillModel(model)));
  const programs: Program[] = [];
  for (const program of catalogue.programs) {
    programs.push(await filled(program, async () => fillProgram(program, releaseSchema.parse(await json(releases)))));
  }
  await writeFile(file, `${JSON.stringify(parseCatalogue({ models, programs }), undefined, 2)}\n`);
}

void main();
