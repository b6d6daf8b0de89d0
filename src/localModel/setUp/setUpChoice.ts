import * as l10n from '../../util/l10n';
import type { CatalogueProgram } from '../catalogue/catalogue';
import type { Sampling } from '../catalogue/sampling';
import type { Fit } from '../fit/fitModel';

/** Where the file of a model comes from. */
export type ModelSource =
  | {
      readonly kind: 'file';
      readonly file: string;
      /** As it was fetched. Absent: not known. */
      readonly sha256?: string | undefined;
    }
  | {
      readonly kind: 'download';
      readonly url: string;
      /** Absent: the host names none, so only the size is checked. */
      readonly sha256?: string | undefined;
      readonly fileName: string;
      /** As its makers or its file name it. */
      readonly licence: string;
    };

/** Where llama-server comes from. */
export type ProgramSource =
  | { readonly kind: 'installed'; readonly file: string }
  | { readonly kind: 'download'; readonly entry: CatalogueProgram };

/** A model that fits into this machine, with everything that is needed to serve it. */
export interface SetUpChoice {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** Where it is or comes from, in a few words. */
  readonly from: string;
  readonly model: ModelSource;
  readonly program: ProgramSource;
  readonly fit: Fit;
  /** The speed to expect, in words. */
  readonly speed: string;
  readonly sampling?: Sampling | undefined;
  /** It is the model of this machine. */
  readonly isInUse?: boolean | undefined;
  /** It replaces something that is here by a newer version, in these words. */
  readonly updates?: string | undefined;
}

/** Something that would be fetched, for the question before it. */
export interface Fetched {
  readonly what: string;
  readonly host: string;
  readonly bytes: number;
  readonly licence: string;
}

/** What a choice would fetch. Empty: everything is here. */
export function fetchedBy({ model, program, name, bytes }: SetUpChoice): readonly Fetched[] {
  return [
    ...(program.kind === 'download'
      ? [
          {
            what: l10n.t('llama-server, the program that runs the model'),
            host: new URL(program.entry.url).host,
            bytes: program.entry.bytes,
            licence: program.entry.licence.name,
          },
        ]
      : []),
    ...(model.kind === 'download'
      ? [{ what: name, host: new URL(model.url).host, bytes, licence: model.licence }]
      : []),
  ];
}
