import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { parseJson } from '../../util/json';
import { describeIssues } from '../../util/zodIssues';
import { architectureSchema } from '../fit/architecture';
import shipped from './catalogue.json';
import { samplingSchema } from './sampling';

const text = z.string().min(1).max(500);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** 1 TB: more is a mistake. */
const bytes = z.number().int().min(1).max(1e12);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/);
const url = z.url({ protocol: /^https?$/ }).max(2_000);

/** Filled by `npm run catalogue`. An entry without them was never verified, and is not offered. */
const verified = { bytes: bytes.optional(), sha256: sha256.optional(), verifiedOn: date.optional() };
const licence = z.strictObject({ name: text, url: url.optional() });

const modelSchema = z
  .strictObject({
    id,
    name: text,
    /** A repository of the model host, with the file in it and the commit. */
    repository: z
      .string()
      .regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/)
      .optional(),
    file: z.string().regex(/^[\w.-]{1,200}\.gguf$/),
    revision: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .optional(),
    /** Instead of a repository. */
    url: url.optional(),
    ...verified,
    licence,
    architecture: architectureSchema,
    activeShare: z.number().gt(0).max(1).optional(),
    /** What the makers of the model recommend. */
    sampling: samplingSchema.optional(),
    /** How many of the exam's tasks it solved. */
    exam: z.strictObject({ solved: z.number().int().min(0), of: z.number().int().min(1), date }).optional(),
  })
  .refine(({ repository, url: address }) => (repository === undefined) !== (address === undefined), {
    message: 'needs a repository or a url, not both',
  });

const programSchema = z.strictObject({
  id,
  /** As Node names them. */
  platform: z.enum(['linux', 'darwin', 'win32']),
  arch: z.enum(['x64', 'arm64']),
  /** What the build computes on. */
  device: z.enum(['vulkan', 'metal', 'processor']),
  /** The name of the file in a release of llama.cpp, with `{tag}` for the release. Used by `npm run catalogue`. */
  asset: text.optional(),
  url: url.optional(),
  /** Such as `b7000`. */
  release: z
    .string()
    .regex(/^[\w.-]{1,50}$/)
    .optional(),
  ...verified,
  licence,
});

const catalogueSchema = z.strictObject({
  models: z.array(modelSchema).max(500),
  programs: z.array(programSchema).max(100),
});

export type Catalogue = Readonly<z.infer<typeof catalogueSchema>>;
export type ModelEntry = Catalogue['models'][number];
type ProgramEntry = Catalogue['programs'][number];

/** An entry whose file was seen, with its size and checksum. */
type Verified<T> = T & { readonly url: string; readonly bytes: number; readonly sha256: string };
export type CatalogueModel = Verified<ModelEntry>;
export type CatalogueProgram = Verified<ProgramEntry>;

export interface VerifiedCatalogue {
  readonly models: readonly CatalogueModel[];
  readonly programs: readonly CatalogueProgram[];
  /** All models of the catalogue. Those without a verified file tell only what is known of a file that is here already. */
  readonly known: readonly ModelEntry[];
}

export type CatalogueReading =
  { readonly ok: true; readonly catalogue: VerifiedCatalogue } | { readonly ok: false; readonly message: string };

/**
 * Reads the catalogue in `file`; without a file, the one that ships. Returns only verified entries. `env` may name a mirror of the
 * model host, as `HF_ENDPOINT` does for other programs.
 */
export async function readCatalogue(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CatalogueReading> {
  if (file === '') return readingOf(shipped, 'The catalogue', env);
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch {
    return { ok: false, message: `The catalogue ${file} cannot be read.` };
  }
  const parsed = parseJson(content);
  return readingOf(parsed, file, env);
}

function readingOf(
  content: unknown,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): CatalogueReading {
  const parsed = catalogueSchema.safeParse(content);
  if (!parsed.success)
    return { ok: false, message: `${name} is not a catalogue of models: ${describeIssues(parsed.error)}` };
  const { models, programs } = parsed.data;
  return {
    ok: true,
    catalogue: {
      models: models.flatMap((entry) => verifiedEntry(entry, modelUrl(entry, env))),
      programs: programs.flatMap((entry) => verifiedEntry(entry, entry.url)),
      known: models,
    },
  };
}

function verifiedEntry<T extends { readonly bytes?: number | undefined; readonly sha256?: string | undefined }>(
  entry: T & { readonly verifiedOn?: string | undefined },
  address: string | undefined,
): readonly Verified<T>[] {
  const { bytes: size, sha256: hash, verifiedOn } = entry;
  if (address === undefined || size === undefined || hash === undefined || verifiedOn === undefined) return [];
  return [{ ...entry, url: address, bytes: size, sha256: hash }];
}

const MODEL_HOST = 'https://huggingface.co';

/** The address of a file in a repository, at the usual host or its mirror. */
export function modelUrl(
  { repository, revision = 'main', file, url: address }: Pick<ModelEntry, 'repository' | 'revision' | 'file' | 'url'>,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (repository === undefined) return address;
  const mirror = env['HF_ENDPOINT']?.trim().replace(/\/+$/, '');
  return `${mirror || MODEL_HOST}/${repository}/resolve/${revision}/${file}`;
}

/** For `npm run catalogue`: everything in the file, verified or not. Throws when it is no catalogue. */
export function parseCatalogue(content: unknown): Catalogue {
  return catalogueSchema.parse(content);
}
