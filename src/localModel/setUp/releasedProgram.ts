import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findFile } from '../archive/findFile';
import type { CatalogueProgram } from '../catalogue/catalogue';
import { localFolder } from '../localState';
import type { Hardware } from '../machine/hardware';
import type { ProgramSource } from './setUpChoice';

/** The program of a release, and a newer one if there is one. */
export interface ReleasedProgram {
  readonly program: ProgramSource;
  readonly newer?: { readonly program: ProgramSource; readonly was: string; readonly is: string } | undefined;
}

/** The folder of an unpacked release. */
export function programFolder(folder: string, { id, release }: Pick<CatalogueProgram, 'id' | 'release'>): string {
  return path.join(localFolder(folder).programs, release === undefined ? id : `${id}-${release}`);
}

export function programName(platform: string): string {
  return platform === 'win32' ? 'llama-server.exe' : 'llama-server';
}

/**
 * The release for this system: for its GPU if it has one, otherwise for the processor. An earlier release that is here needs no
 * download, so it is used until the person updates it. `undefined`: no verified release is known.
 */
export async function releasedProgram(
  entries: readonly CatalogueProgram[],
  { platform, arch, gpus, isUnified }: Hardware,
  folder: string,
): Promise<ReleasedProgram | undefined> {
  const fitting = entries.filter((entry) => entry.platform === platform && entry.arch === arch);
  const devices = isUnified ? ['metal'] : gpus.length > 0 ? ['vulkan', 'processor'] : ['processor', 'vulkan'];
  const entry = devices.flatMap((device) => fitting.filter((one) => one.device === device))[0];
  if (!entry) return undefined;
  const find = (place: string): Promise<string | undefined> =>
    findFile(place, programName(platform)).catch(() => undefined);
  const current = await find(programFolder(folder, entry));
  if (current !== undefined) return { program: { kind: 'installed', file: current } };
  const program = { kind: 'download', entry } as const;
  for (const release of await earlierReleases(entry, folder)) {
    const file = await find(programFolder(folder, { ...entry, release }));
    if (file === undefined) continue;
    return { program: { kind: 'installed', file }, newer: { program, was: release, is: entry.release ?? '' } };
  }
  return { program };
}

/** The newest first: releases are `b` and a number. */
async function earlierReleases({ id }: CatalogueProgram, folder: string): Promise<readonly string[]> {
  const names = await readdir(localFolder(folder).programs).catch((): string[] => []);
  return (
    names
      // Archives, parts and drafts stand beside the folders.
      .filter((name) => name.startsWith(`${id}-`) && !/\.(?:draft-|tar\.gz|zip|part|lock)/.test(name))
      .map((name) => name.slice(id.length + 1))
      .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  );
}
