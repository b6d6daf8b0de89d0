import path from 'node:path';
import { findFile } from '../archive/findFile';
import { readCatalogue, type CatalogueProgram, type VerifiedCatalogue } from '../catalogue/catalogue';
import { expectedSpeed, fitModel, fitRank, type SizedModel } from '../fit/fitModel';
import { readModelFile } from '../gguf/modelFacts';
import { findModelFiles } from '../installed/modelFiles';
import { findPrograms, type InstalledProgram, type MachineEnvironment } from '../installed/programs';
import { localFolder } from '../localState';
import { machineSources, readHardware, type Hardware } from '../machine/hardware';
import { runProgram, type RunProgram } from '../machine/runProgram';
import { messageOf } from '../../util/errors';
import type { ProgramSource, SetUpChoice } from './setUpChoice';

export interface OfferOptions extends MachineEnvironment {
  /** Where Open Agent keeps its own. */
  readonly folder: string;
  /** A catalogue of the person's; empty: the one that ships. */
  readonly catalogue: string;
  /** llama-server, as the person has named it. Empty: look for it. */
  readonly program?: string | undefined;
  readonly run?: RunProgram | undefined;
  /** For tests: a machine of another size. */
  readonly hardware?: Hardware | undefined;
}

/** The models that can run on this machine. */
export interface SetUpOffer {
  readonly hardware: Hardware;
  /** The best first; those that need no download come before the others. */
  readonly choices: readonly SetUpChoice[];
  readonly programs: readonly InstalledProgram[];
  /** What runs a model. `undefined`: nothing is installed, and no verified release is known for this machine. */
  readonly program: ProgramSource | undefined;
  /** Models that were found or are known, and do not fit. */
  readonly tooLarge: number;
  /** Files and catalogues that cannot be used, for the log. */
  readonly problems: readonly string[];
}

/** Looks at this machine, without any network. */
export async function findOffer(options: OfferOptions): Promise<SetUpOffer> {
  const { folder, env, catalogue: file, run = runProgram, program: named } = options;
  const problems: string[] = [];
  const reading = await readCatalogue(file, env);
  if (!reading.ok) problems.push(reading.message);
  const catalogue: VerifiedCatalogue = reading.ok ? reading.catalogue : { models: [], programs: [] };
  const programs = await findPrograms(options);
  const installed = named || programs.find(({ kind }) => kind === 'llama-server')?.file;
  const hardware =
    options.hardware ??
    (await readHardware(
      machineSources(run, installed === undefined ? undefined : () => run(installed, ['--list-devices'])),
    ));
  const program: ProgramSource | undefined = installed
    ? { kind: 'installed', file: installed }
    : await releasedProgram(catalogue.programs, hardware, folder);
  const sized: {
    readonly model: SizedModel;
    readonly rank: number;
    readonly choice: Omit<SetUpChoice, 'fit' | 'speed'>;
  }[] = [];
  if (program) {
    for (const found of await findModelFiles({ ...options, own: folder })) {
      try {
        const { architecture } = await readModelFile(found.file);
        sized.push({
          model: { bytes: found.bytes, architecture },
          rank: 1e18,
          choice: {
            id: `file:${found.name}`,
            name: found.name,
            bytes: found.bytes,
            from: `here already, from ${found.from}`,
            model: { kind: 'file', file: found.file },
            program,
          },
        });
      } catch (error) {
        problems.push(`${found.file}: ${messageOf(error)}`);
      }
    }
    const here = new Set(sized.map(({ choice }) => choice.name));
    for (const entry of catalogue.models) {
      if (here.has(entry.file.replace(/\.gguf$/, ''))) continue;
      const { id, name, bytes, url, sha256, licence, sampling, architecture, activeShare, exam } = entry;
      sized.push({
        model: { bytes, architecture, ...(activeShare !== undefined && { activeShare }) },
        rank: exam ? (exam.solved / exam.of) * 1e17 : 0,
        choice: {
          id,
          name,
          bytes,
          from: `from ${new URL(url).host}`,
          model: { kind: 'download', url, sha256, fileName: entry.file, licence: licence.name },
          program,
          ...(sampling && { sampling }),
        },
      });
    }
  }
  const fitting = sized.flatMap(({ model, rank, choice }) => {
    const fit = fitModel(model, hardware);
    return fit ? [{ choice: { ...choice, fit, speed: expectedSpeed(fit, model) }, rank: rank + fitRank(fit) }] : [];
  });
  return {
    hardware,
    choices: fitting.toSorted((a, b) => b.rank - a.rank).map(({ choice }) => choice),
    programs,
    program,
    tooLarge: sized.length - fitting.length,
    problems,
  };
}

/** The folder of an unpacked release. */
export function programFolder(folder: string, { id, release }: CatalogueProgram): string {
  return path.join(localFolder(folder).programs, release === undefined ? id : `${id}-${release}`);
}

export function programName(platform: string): string {
  return platform === 'win32' ? 'llama-server.exe' : 'llama-server';
}

/** The release for this system: for its GPU if it has one, otherwise for the processor. */
async function releasedProgram(
  entries: readonly CatalogueProgram[],
  { platform, arch, gpus, isUnified }: Hardware,
  folder: string,
): Promise<ProgramSource | undefined> {
  const fitting = entries.filter((entry) => entry.platform === platform && entry.arch === arch);
  const devices = isUnified ? ['metal'] : gpus.length > 0 ? ['vulkan', 'processor'] : ['processor', 'vulkan'];
  const entry = devices.flatMap((device) => fitting.filter((one) => one.device === device))[0];
  if (!entry) return undefined;
  const file = await findFile(programFolder(folder, entry), programName(platform)).catch(() => undefined);
  return file === undefined ? { kind: 'download', entry } : { kind: 'installed', file };
}
