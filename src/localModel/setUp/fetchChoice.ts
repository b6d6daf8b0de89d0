import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findFile } from '../archive/findFile';
import { discardPart, download } from '../download/download';
import { SetUpError } from '../download/setUpError';
import type { Progress } from '../download/transferRate';
import { localFolder, readState, updateState, type FetchedModel } from '../localState';
import type { Launch } from '../run/launch';
import { programFolder, programName } from './releasedProgram';
import type { SetUpChoice } from './setUpChoice';

/** What happens now. */
export type SetUpStep =
  | ({ readonly kind: 'program' | 'model' } & Progress)
  | { readonly kind: 'unpacking' }
  /** The host failed, and is asked again after this time. */
  | { readonly kind: 'waiting'; readonly why: string; readonly waitMs: number }
  /** The host has sent nothing for this time. It may still go on. */
  | { readonly kind: 'quiet'; readonly host: string; readonly quietMs: number };

export interface FetchOptions {
  readonly folder: string;
  readonly fetch: typeof fetch;
  /** Aborting pauses. The same choice goes on from there. */
  readonly signal: AbortSignal;
  readonly onStep: (step: SetUpStep) => void;
  readonly platform?: string | undefined;
}

/**
 * Fetches what a choice needs, and makes it the model of this machine unless it is an update of another model. Call it after a clear yes of the person. Rejects with a
 * `SetUpError`.
 */
export async function fetchChoice(choice: SetUpChoice, options: FetchOptions): Promise<Launch> {
  const program = await fetchProgram(choice, options);
  const modelFile = await fetchModel(choice, options);
  const launch: Launch = {
    program,
    modelFile,
    modelBytes: choice.bytes,
    name: choice.name,
    context: choice.fit.context,
    ...(choice.sampling && { sampling: choice.sampling }),
    ...(choice.model.sha256 !== undefined && { sha256: choice.model.sha256 }),
  };
  const { fetched } = await readState(options.folder);
  await updateState(options.folder, {
    ...(becomesChosen(choice) && { chosen: launch }),
    fetched: { ...fetched, ...fetchedNow(choice) },
  });
  return launch;
}

/** A newer version of another model does not replace the one in use. */
export function becomesChosen({ updates, isInUse = false }: SetUpChoice): boolean {
  return updates === undefined || isInUse;
}

/** What has to be kept of a fetched model: its file tells neither its checksum nor how its makers want it asked. */
function fetchedNow({ id, name, model, sampling }: SetUpChoice): Readonly<Record<string, FetchedModel>> {
  if (model.kind === 'file') return {};
  const { fileName, sha256 } = model;
  const known = { id, name, ...(sha256 !== undefined && { sha256 }), ...(sampling && { sampling }) };
  return { [fileName]: known };
}

/** Deletes what a paused `fetchChoice` has left. Whole models and programs stay. */
export async function discardChoice({ model, program }: SetUpChoice, folder: string): Promise<void> {
  if (model.kind === 'download') await discardPart(modelTarget(folder, model.fileName));
  if (program.kind === 'installed') return;
  const archive = archiveTarget(folder, program.entry);
  await discardPart(archive);
  await rm(archive, { force: true });
}

async function fetchProgram({ program }: SetUpChoice, options: FetchOptions): Promise<string> {
  if (program.kind === 'installed') return program.file;
  const { entry } = program;
  const { folder, fetch, signal, onStep, platform = process.platform } = options;
  const target = programFolder(folder, entry);
  const there = await findFile(target, programName(platform)).catch(() => undefined);
  if (there !== undefined) return there;
  const archive = archiveTarget(folder, entry);
  await download({
    ...{ url: entry.url, bytes: entry.bytes, sha256: entry.sha256, target: archive, fetch, signal },
    onProgress: (progress) => onStep({ kind: 'program', ...progress }),
    onWait: ({ message: why }, waitMs) => onStep({ kind: 'waiting', why, waitMs }),
    onQuiet: (host, quietMs) => onStep({ kind: 'quiet', host, quietMs }),
  });
  onStep({ kind: 'unpacking' });
  // A folder without the program is the rest of something else.
  await rm(target, { recursive: true, force: true });
  const { unpack } = await import('../archive/unpack');
  await unpack(archive, target);
  await rm(archive, { force: true });
  const file = await findFile(target, programName(platform));
  if (file === undefined) throw new SetUpError('archive', `The archive holds no ${programName(platform)}.`);
  return file;
}

async function fetchModel({ model, bytes }: SetUpChoice, options: FetchOptions): Promise<string> {
  if (model.kind === 'file') return model.file;
  const { folder, fetch, signal, onStep } = options;
  const target = modelTarget(folder, model.fileName);
  await download({
    ...{ url: model.url, bytes, target, fetch, signal },
    ...(model.sha256 !== undefined && { sha256: model.sha256 }),
    onProgress: (progress) => onStep({ kind: 'model', ...progress }),
    onWait: ({ message: why }, waitMs) => onStep({ kind: 'waiting', why, waitMs }),
    onQuiet: (host, quietMs) => onStep({ kind: 'quiet', host, quietMs }),
  });
  return target;
}

function modelTarget(folder: string, fileName: string): string {
  return path.join(localFolder(folder).models, fileName);
}

function archiveTarget(folder: string, entry: { readonly id: string; readonly url: string }): string {
  const ending = new URL(entry.url).pathname.endsWith('.zip') ? '.zip' : '.tar.gz';
  return path.join(localFolder(folder).programs, `${entry.id}${ending}`);
}
