import * as l10n from '../../util/l10n';
import { readCatalogue, type VerifiedCatalogue } from '../catalogue/catalogue';
import { contextsOf, expectedSpeed, fitModel, fitRank, type SizedModel } from '../fit/fitModel';
import { memoryNeed, type MemoryNeed } from '../fit/memoryNeed';
import { readModelFile } from '../gguf/modelFacts';
import { findModelFiles } from '../installed/modelFiles';
import { findPrograms, type InstalledProgram, type MachineEnvironment } from '../installed/programs';
import { readState, type LocalState } from '../localState';
import { machineSources, readHardware, withoutModel, type Hardware } from '../machine/hardware';
import { runProgram, type RunProgram } from '../machine/runProgram';
import { isServerRecorded } from '../run/serverRecord';
import { messageOf } from '../../util/errors';
import { knownModel } from './knownModels';
import { releasedProgram, type ReleasedProgram } from './releasedProgram';
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
  /** Newer versions of the model in use, of other fetched models, and of their program. */
  readonly updates: readonly SetUpChoice[];
  readonly programs: readonly InstalledProgram[];
  /** What runs a model. `undefined`: nothing is installed, and no verified release is known for this machine. */
  readonly program: ProgramSource | undefined;
  /** Models that were found or are known, and do not fit. */
  readonly tooLarge: number;
  /** Models that were trained for less context than an agent needs. */
  readonly tooShort: number;
  /** The model of this machine. It may be none of the choices. */
  readonly inUse?: { readonly name: string; readonly modelFile: string } | undefined;
  /** Files and catalogues that cannot be used, for the log. */
  readonly problems: readonly string[];
}

/** A model that was found or is known, before it is compared with the machine. */
interface Candidate {
  readonly model: SizedModel;
  readonly rank: number;
  readonly choice: Omit<SetUpChoice, 'fit' | 'speed'>;
}

/** Looks at this machine, without any network. */
export async function findOffer(options: OfferOptions): Promise<SetUpOffer> {
  const { folder, env, catalogue: file, run = runProgram, program: named } = options;
  const problems: string[] = [];
  const reading = await readCatalogue(file, env);
  if (!reading.ok) problems.push(reading.message);
  const catalogue: VerifiedCatalogue = reading.ok ? reading.catalogue : { models: [], programs: [], known: [] };
  const state = await readState(folder);
  const programs = await findPrograms(options);
  const installed = named || programs.find(({ kind }) => kind === 'llama-server')?.file;
  const listDevices = installed === undefined ? undefined : () => run(installed, ['--list-devices']);
  const measured = options.hardware ?? (await readHardware(machineSources(run, listDevices)));
  const running = await runningNeed(folder, state);
  const hardware = running ? withoutModel(measured, running) : measured;
  const released: ReleasedProgram | undefined = installed
    ? { program: { kind: 'installed', file: installed } }
    : await releasedProgram(catalogue.programs, hardware, folder);
  const { chosen } = state;
  const result = {
    ...{ hardware, programs, program: released?.program, problems },
    ...(chosen && { inUse: { name: chosen.name, modelFile: chosen.modelFile } }),
  };
  if (!released) return { ...result, choices: [], updates: [], tooLarge: 0, tooShort: 0 };
  const { program, newer } = released;
  const here = await candidatesHere({ options, catalogue, state, program, problems });
  const known = new Set(here.flatMap(({ entryId }) => entryId ?? []));
  const elsewhere = catalogue.models.filter(({ id }) => !known.has(id)).map((entry) => candidateOf(entry, program));
  const all = [...here.map(({ candidate }) => candidate), ...elsewhere];
  const short = all.filter(({ model }) => contextsOf(model.architecture).length === 0);
  const choices = fitting(all, hardware);
  const newerFiles = here.flatMap(({ candidate, entryId }) => {
    const entry = catalogue.models.find(({ id }) => id === entryId);
    const { model } = candidate.choice;
    // A file whose checksum is not known may be any version.
    if (!entry || model.sha256 === undefined || model.sha256 === entry.sha256) return [];
    const { isInUse } = candidate.choice;
    const of = candidateOf(entry, program);
    return [
      { ...of, choice: { ...of.choice, ...(isInUse && { isInUse }), updates: l10n.t('a newer version of the model') } },
    ];
  });
  const inUse = choices.find((choice) => choice.isInUse);
  return {
    ...result,
    choices,
    updates: [
      ...(newer && inUse
        ? [
            {
              ...inUse,
              program: newer.program,
              updates: l10n.t('llama-server {0} in place of {1}', newer.is, newer.was),
            },
          ]
        : []),
      ...fitting(newerFiles, hardware),
    ],
    tooLarge: all.length - choices.length - short.length,
    tooShort: short.length,
  };
}

/** What the running model takes now, and gives back when another one replaces it. */
async function runningNeed(folder: string, { chosen }: LocalState): Promise<MemoryNeed | undefined> {
  if (!chosen || !(await isServerRecorded(folder))) return undefined;
  try {
    const { architecture } = await readModelFile(chosen.modelFile);
    return memoryNeed(chosen.modelBytes, architecture, chosen.context);
  } catch {
    // Counts as nothing: then less is offered than fits.
    return undefined;
  }
}

/** The files of this machine. `entryId`: their entry in the catalogue. */
async function candidatesHere({
  options,
  catalogue,
  state,
  program,
  problems,
}: {
  readonly options: OfferOptions;
  readonly catalogue: VerifiedCatalogue;
  readonly state: LocalState;
  readonly program: ProgramSource;
  readonly problems: string[];
}): Promise<readonly { readonly candidate: Candidate; readonly entryId: string | undefined }[]> {
  const candidates: { readonly candidate: Candidate; readonly entryId: string | undefined }[] = [];
  for (const found of await findModelFiles({ ...options, own: options.folder })) {
    try {
      const { architecture } = await readModelFile(found.file);
      const { entry, id, name, sampling, sha256 } = knownModel(found, catalogue, state);
      const { activeShare } = entry ?? {};
      const isInUse = state.chosen?.modelFile === found.file;
      candidates.push({
        entryId: entry?.id,
        candidate: {
          model: { bytes: found.bytes, architecture, ...(activeShare !== undefined && { activeShare }) },
          rank: 1e18,
          choice: {
            ...{ id, name, bytes: found.bytes, program, from: l10n.t('here already, from {0}', found.from) },
            model: { kind: 'file', file: found.file, ...(sha256 !== undefined && { sha256 }) },
            ...(sampling && { sampling }),
            ...(isInUse && { isInUse }),
          },
        },
      });
    } catch (error) {
      problems.push(`${found.file}: ${messageOf(error)}`);
    }
  }
  return candidates;
}

function candidateOf(entry: VerifiedCatalogue['models'][number], program: ProgramSource): Candidate {
  const { id, name, bytes, url, sha256, licence, sampling, architecture, activeShare, exam } = entry;
  return {
    model: { bytes, architecture, ...(activeShare !== undefined && { activeShare }) },
    rank: exam ? (exam.solved / exam.of) * 1e17 : 0,
    choice: {
      ...{ id, name, bytes, program, from: l10n.t('from {0}', new URL(url).host) },
      model: { kind: 'download', url, sha256, fileName: entry.file, licence: licence.name },
      ...(sampling && { sampling }),
    },
  };
}

/** Those that fit, the best first. */
function fitting(candidates: readonly Candidate[], hardware: Hardware): readonly SetUpChoice[] {
  return candidates
    .flatMap(({ model, rank, choice }) => {
      const fit = fitModel(model, hardware);
      return fit ? [{ choice: { ...choice, fit, speed: expectedSpeed(fit, model) }, rank: rank + fitRank(fit) }] : [];
    })
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ choice }) => choice);
}
