import * as l10n from '../../util/l10n';
import * as z from 'zod';
import { noQuirks, type QuirkMemory, type ServerQuirks } from '../../sdk/model/wire/serverQuirks';
import { Emitter } from '../../util/emitter';
import { serverKey } from './serverKey';

/** The store of learned quirks: VS Code's `Memento`, or memory. */
export interface QuirkStore {
  keys(): readonly string[];
  get(key: string): unknown;
  /** `undefined` removes the key. */
  update(key: string, value: unknown): PromiseLike<void>;
}

export interface LearnedQuirksParts {
  /** Absent: quirks last as long as the process. */
  readonly store?: QuirkStore | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Gets write errors of the store. The quirks still count in this process. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** The learned quirks of one server or model, for people. */
export interface LearnedServer {
  /** Scheme, host and port. */
  readonly endpoint: string;
  /** Absent: the quirks hold for all models. */
  readonly model?: string | undefined;
  readonly quirks: Partial<ServerQuirks>;
  /** The quirks, each in a few words. */
  readonly words: readonly string[];
}

/**
 * Request features that servers reject, learned per server, or per model where they depend on it. They expire after a day:
 * the server may have been changed, and learning again costs one request.
 */
export class LearnedQuirks {
  readonly #store: QuirkStore;
  readonly #now: () => number;
  readonly #onInternalError: (error: unknown) => void;
  readonly #changes: Emitter<void>;

  constructor({ store, now, onInternalError = () => {} }: LearnedQuirksParts) {
    this.#store = store ?? memoryStore();
    this.#now = now;
    this.#onInternalError = onInternalError;
    this.#changes = new Emitter(onInternalError);
  }

  /** Tells that quirks were learned or forgotten. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** The quirks of the server at `baseUrl`, for its provider. */
  memoryFor(baseUrl: string): QuirkMemory {
    const endpoint = serverKey(baseUrl);
    return {
      get: (model) => ({ ...noQuirks, ...this.#read(keyOf(endpoint)), ...this.#read(keyOf(endpoint, model)) }),
      learn: (model, quirks) => {
        this.#write(keyOf(endpoint), differences(quirks, ENDPOINT_FIELDS));
        this.#write(keyOf(endpoint, model), differences(quirks, MODEL_FIELDS));
      },
    };
  }

  /** All quirks that have not expired. */
  list(): readonly LearnedServer[] {
    return this.#keys().flatMap((key): LearnedServer[] => {
      const quirks = this.#read(key);
      const [endpoint = '', model] = key.slice(PREFIX.length).split('\n');
      return quirks ? [{ endpoint, ...(model !== undefined && { model }), quirks, words: describeQuirks(quirks) }] : [];
    });
  }

  /** The quirks of one model and its server, each in a few words. */
  describe(baseUrl: string, model: string): readonly string[] {
    return describeQuirks(this.#known(baseUrl, model));
  }

  /** Whether the server rejected images for this model. */
  rejectsImages(baseUrl: string, model: string): boolean {
    return this.#known(baseUrl, model).images === false;
  }

  /** Forgets the quirks of the server at `baseUrl`, or of all servers. */
  reset(baseUrl?: string): void {
    const endpoint = baseUrl === undefined ? undefined : keyOf(serverKey(baseUrl));
    for (const key of this.#keys()) {
      if (endpoint === undefined || key === endpoint || key.startsWith(`${endpoint}\n`)) this.#update(key, undefined);
    }
  }

  #keys(): readonly string[] {
    return this.#store.keys().filter((key) => key.startsWith(PREFIX));
  }

  #read(key: string): Partial<ServerQuirks> | undefined {
    const kept = Kept.safeParse(this.#store.get(key)).data;
    if (!kept || this.#now() - kept.learnedMs > MAX_AGE_MS) return undefined;
    // Kept as JSON, so absent fields are not `undefined`.
    return kept.quirks as Partial<ServerQuirks>;
  }

  #known(baseUrl: string, model: string): Partial<ServerQuirks> {
    const endpoint = serverKey(baseUrl);
    return { ...this.#read(keyOf(endpoint)), ...this.#read(keyOf(endpoint, model)) };
  }

  #write(key: string, quirks: Partial<ServerQuirks> | undefined): void {
    if (quirks) this.#update(key, { learnedMs: this.#now(), quirks } satisfies z.input<typeof Kept>);
    else if (this.#store.get(key) !== undefined) this.#update(key, undefined);
  }

  #update(key: string, value: unknown): void {
    this.#store.update(key, value).then(undefined, this.#onInternalError);
    this.#changes.emit();
  }
}

/** Quirks, each in a few words for people. */
function describeQuirks(quirks: Partial<ServerQuirks>): readonly string[] {
  const words = [
    quirks.tools === 'text' && l10n.t('tools as text'),
    quirks.streamWithTools === false && l10n.t('answers with tools in one piece'),
    quirks.streamOptions === false && l10n.t('no token counts asked for'),
    quirks.promptProgress === false && l10n.t('no progress of the prompt'),
    quirks.systemPrompt === 'user' && l10n.t('no system role'),
    quirks.takesReasoning === false && l10n.t('no earlier reasoning'),
    quirks.callContent !== undefined && quirks.callContent !== 'string' && l10n.t('no text beside tool calls'),
    quirks.callIds === 'nine' && l10n.t('ids of nine characters'),
    quirks.callsTogether === false && l10n.t('one call in a message'),
    quirks.strippedSchemas === true && l10n.t('plain tool schemas'),
    quirks.strippedSchemas === 'limits' && l10n.t('tool schemas without limits'),
    quirks.strippedSchemas === 'forms' && l10n.t('tool schemas without $ref and oneOf'),
    quirks.strippedTools !== undefined &&
      Object.keys(quirks.strippedTools).length > 0 &&
      l10n.t('plain schemas of {0}', Object.keys(quirks.strippedTools).join(', ')),
    quirks.droppedTools !== undefined &&
      quirks.droppedTools.length > 0 &&
      l10n.t('without the tools {0}', quirks.droppedTools.join(', ')),
    quirks.responseFormat === false && l10n.t('no JSON Schema for answers'),
    quirks.images === false && l10n.t('no images'),
    quirks.resultImages === 'user' && l10n.t('images of results in a message of their own'),
    typeof quirks.contextCap === 'number' && l10n.t('drops the start of prompts over {0} tokens', quirks.contextCap),
    typeof quirks.maxTokensCap === 'number' && l10n.t('answers of at most {0} tokens', quirks.maxTokensCap),
  ];
  return words.filter((word) => typeof word === 'string');
}

function memoryStore(): QuirkStore {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key) => values.get(key),
    update: (key, value) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
      return Promise.resolve();
    },
  };
}

const PREFIX = 'serverQuirks:';
const MAX_AGE_MS = 24 * 60 * 60 * 1_000;

/** These depend on the model's template or parser, the others on the server's program. */
const MODEL_FIELDS = [
  'tools',
  'systemPrompt',
  'callContent',
  'callIds',
  'callsTogether',
  'images',
  'resultImages',
  'maxTokensCap',
  'contextCap',
] as const satisfies readonly (keyof ServerQuirks)[];
const ENDPOINT_FIELDS = [
  'streamOptions',
  'promptProgress',
  'streamWithTools',
  'takesReasoning',
  'strippedSchemas',
  'strippedTools',
  'droppedTools',
  'responseFormat',
] as const satisfies readonly (keyof ServerQuirks)[];

const Kept = z.object({
  learnedMs: z.number(),
  quirks: z
    .object({
      streamOptions: z.boolean(),
      promptProgress: z.boolean(),
      streamWithTools: z.boolean(),
      tools: z.enum(['native', 'text']),
      systemPrompt: z.enum(['system', 'user']),
      takesReasoning: z.boolean(),
      callContent: z.enum(['string', 'null_if_empty', 'null']),
      callIds: z.enum(['given', 'nine']),
      callsTogether: z.boolean(),
      strippedSchemas: z.union([z.boolean(), z.enum(['limits', 'forms'])]),
      strippedTools: z.record(z.string(), z.enum(['limits', 'forms', 'all', 'bare'])).readonly(),
      droppedTools: z.array(z.string()).readonly(),
      responseFormat: z.boolean(),
      images: z.boolean(),
      resultImages: z.enum(['result', 'user']),
      maxTokensCap: z.int().min(1).nullable(),
      contextCap: z.int().min(1).nullable(),
    } satisfies { readonly [Field in keyof ServerQuirks]: z.ZodType<ServerQuirks[Field]> })
    .partial(),
});

function keyOf(endpoint: string, model?: string): string {
  return model === undefined ? `${PREFIX}${endpoint}` : `${PREFIX}${endpoint}\n${model}`;
}

function differences(quirks: ServerQuirks, fields: readonly (keyof ServerQuirks)[]): Partial<ServerQuirks> | undefined {
  const learned = fields.filter((field) => JSON.stringify(quirks[field]) !== JSON.stringify(noQuirks[field]));
  return learned.length === 0 ? undefined : Object.fromEntries(learned.map((field) => [field, quirks[field]]));
}
