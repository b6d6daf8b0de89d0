import { randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../util/json';
import { samplingSchema } from './catalogue/sampling';
import { launchSchema } from './run/launch';

/** The files of the models on this machine, below one folder. */
export interface LocalFolder {
  readonly folder: string;
  readonly state: string;
  readonly models: string;
  readonly programs: string;
  /** It is there while the person wants the model to stay stopped. */
  readonly stopped: string;
}

export function localFolder(folder: string): LocalFolder {
  return {
    folder,
    state: path.join(folder, 'state.json'),
    models: path.join(folder, 'models'),
    programs: path.join(folder, 'programs'),
    stopped: path.join(folder, 'stopped'),
  };
}

/** A model that was fetched: what its file does not tell. */
const fetchedSchema = z.strictObject({
  /** In the catalogue, or `url:NAME`. */
  id: z.string().max(200),
  name: z.string().max(500),
  sha256: z.string().max(64).optional(),
  sampling: samplingSchema.optional(),
});

export type FetchedModel = Readonly<z.infer<typeof fetchedSchema>>;

const stateSchema = z.strictObject({
  version: z.literal(1),
  /** The model that is served. Absent: none was set up, or it was removed. */
  chosen: launchSchema.optional(),
  /** What is known of the fetched models, by the name of their file in `models`. */
  fetched: z.record(z.string().max(200), fetchedSchema).optional(),
  /** The port that was used last, so that the address stays the same. */
  port: z.number().int().min(0).max(65_535).optional(),
});

export type LocalState = Readonly<z.infer<typeof stateSchema>>;

/** Reads the state. A missing or damaged file counts as nothing set up. */
export async function readState(folder: string): Promise<LocalState> {
  const text = await readFile(localFolder(folder).state, 'utf8').catch(() => '');
  return stateSchema.safeParse(parseJson(text)).data ?? { version: 1 };
}

/** Replaces fields of the state. `undefined` removes one. */
export async function updateState(
  folder: string,
  change: { readonly [name in 'chosen' | 'port' | 'fetched']?: LocalState[name] | undefined },
): Promise<void> {
  const { state } = localFolder(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${state}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify({ ...(await readState(folder)), ...change }, undefined, 2), { mode: 0o600 });
  await rename(draft, state);
}

/** Whether the person has stopped the model, and nothing has needed it since. */
export async function isKeptStopped(folder: string): Promise<boolean> {
  return access(localFolder(folder).stopped).then(
    () => true,
    () => false,
  );
}

/** Remembers that the person has stopped the model, also for windows that open later. */
export async function keepStopped(folder: string, isStopped: boolean): Promise<void> {
  const { stopped } = localFolder(folder);
  await (isStopped ? writeFile(stopped, '', { mode: 0o600 }) : rm(stopped, { force: true }));
}
