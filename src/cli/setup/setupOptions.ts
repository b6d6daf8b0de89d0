/** The flags of `setup`, besides `--model`. */
export const setupFlags = {
  yes: { type: 'boolean' },
  list: { type: 'boolean' },
  update: { type: 'boolean' },
  remove: { type: 'string' },
  catalogue: { type: 'string' },
  'llama-server': { type: 'string' },
  folder: { type: 'string' },
} as const;

type SetupFlag = keyof typeof setupFlags;

export interface SetupOptions {
  readonly kind: 'setup';
  /** An id of the list, a path or an https address. Empty: ask. */
  readonly model: string;
  /** Fetch without a question. */
  readonly isYes: boolean;
  /** Only list what is kept on the disk. */
  readonly isList: boolean;
  /** Fetch a newer version of a model or its program. */
  readonly isUpdate: boolean;
  /** Remove the kept item with this name. */
  readonly remove?: string | undefined;
  /** A catalogue of models. Empty: the one that ships. */
  readonly catalogue: string;
  /** The program to run models with. Empty: look for it. */
  readonly program: string;
  /** Where models and programs are kept. Empty: where they were kept so far. */
  readonly folder: string;
}

interface SetupValues {
  readonly yes?: boolean | undefined;
  readonly list?: boolean | undefined;
  readonly update?: boolean | undefined;
  readonly remove?: string | undefined;
  readonly catalogue?: string | undefined;
  readonly 'llama-server'?: string | undefined;
  readonly folder?: string | undefined;
  readonly model?: string | undefined;
}

export function readSetupOptions(values: SetupValues): SetupOptions {
  return {
    kind: 'setup',
    model: values.model?.trim() ?? '',
    isYes: values.yes === true,
    isList: values.list === true,
    isUpdate: values.update === true,
    ...(values.remove !== undefined && { remove: values.remove }),
    catalogue: values.catalogue ?? '',
    program: values['llama-server'] ?? '',
    folder: values.folder ?? '',
  };
}

/** The first given flag of `setup`. */
export function setupFlagIn(values: SetupValues): SetupFlag | undefined {
  return (['yes', 'list', 'update', 'remove', 'catalogue', 'llama-server', 'folder'] as const).find(
    (flag) => values[flag] !== undefined,
  );
}
