import * as l10n from '../../../util/l10n';
import type { ModelLogger } from '../../../sdk/model/modelLogger';
import { createQuirkMemory, noQuirks, type QuirkMemory, type ServerQuirks } from '../../../sdk/model/wire/serverQuirks';
import type { RunBy } from '../remedies';
import { probeServer, type FoundServer, type ServerProbe } from '../probe/serverProbe';
import type { SlotQueue } from '../model/slotQueue';
import { askModel, type Answer, type Question } from './askModel';

export interface DoctorOptions {
  /** Empty: none is set and none was found. */
  readonly baseUrl: string;
  /** Empty: the server's first model; loaded ones win. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Open Agent runs the server itself. */
  readonly isOwn?: boolean | undefined;
  readonly fetch: typeof fetch;
  /** The queue of the process, so that running answers are not disturbed. */
  readonly slots: SlotQueue;
  /** The learned quirks of the server. The check adds its findings. */
  readonly quirks: QuirkMemory;
  /** The settings that findings depend on; `null`: not set. */
  readonly settings: { readonly contextWindow: number | null; readonly maxTokens: number | null };
  readonly logger?: ModelLogger | undefined;
  /** In milliseconds, for durations only. */
  readonly now: () => number;
}

/** Asks the model once. The caller holds a slot of the server. */
export type Ask = (question: Question) => Promise<Answer>;

/** The findings of one run. Each check adds to them, and later checks build on them. */
export class Examination {
  readonly options: DoctorOptions;
  readonly signal: AbortSignal;
  readonly #say: (doing: string) => void;
  /** The quirks learned in this run. Starts empty, so that each is tested. */
  readonly #quirks: QuirkMemory = createQuirkMemory();
  /** All answers of this run. */
  readonly answers: Answer[] = [];
  server: FoundServer | undefined;
  model: string;
  /** The answer to a plain question. */
  answer: Answer | undefined;
  /** The answer to a question with a tool, when the server wanted tools in text. */
  answerInText: Answer | undefined;
  /** How the model can get tools. Absent: not known yet. */
  tools: ServerQuirks['tools'] | undefined;

  constructor(options: DoctorOptions, parts: { readonly signal: AbortSignal; readonly say: (doing: string) => void }) {
    this.options = options;
    this.model = options.model;
    this.signal = parts.signal;
    this.#say = parts.say;
  }

  /** The quirks learned in this run, and earlier ones that are not tested. */
  get quirks(): ServerQuirks {
    const { model, options } = this;
    return { ...options.quirks.get(model), ...tested(this.#quirks.get(model)) };
  }

  /** Who runs the server, which decides what a remedy says. */
  get runBy(): RunBy {
    return this.options.isOwn === true ? 'own' : (this.server?.kind ?? 'unknown');
  }

  /** Probes the server. Rejects only when the run was stopped. */
  probe(): Promise<ServerProbe> {
    const { baseUrl, apiKey, fetch } = this.options;
    this.#say(l10n.t('Identifying the server'));
    return probeServer(baseUrl, { apiKey, fetch, signal: this.signal });
  }

  /** Asks the model, after earlier requests in the queue. `tools: 'text'` describes tools in text. */
  ask(question: Question, how: { readonly tools?: ServerQuirks['tools'] | undefined } = {}): Promise<Answer> {
    return this.inOneGo((ask) => ask(question), how);
  }

  /** Asks several questions in a row on one slot. */
  async inOneGo<T>(
    work: (ask: Ask) => Promise<T>,
    how: { readonly tools?: ServerQuirks['tools'] | undefined } = {},
  ): Promise<T> {
    const { slots } = this.options;
    const baseUrl = this.server?.baseUrl ?? this.options.baseUrl;
    if (slots.ahead(baseUrl) > 0) this.#say(l10n.t('Waiting for the running answer'));
    const slot = await slots.acquire(baseUrl, this.signal);
    this.signal.throwIfAborted();
    try {
      return await work((question) => this.#ask(question, baseUrl, how.tools));
    } finally {
      slot?.release();
    }
  }

  async #ask(question: Question, baseUrl: string, tools: ServerQuirks['tools'] | undefined): Promise<Answer> {
    const { apiKey, fetch, logger, now } = this.options;
    const quirks = tools === 'text' ? toldInText(this.#quirks) : this.#quirks;
    this.#say(l10n.t('Connecting'));
    const parts = { baseUrl, model: this.model, apiKey, fetch, logger, quirks, now, say: this.#say };
    const answer = await askModel(question, parts, this.signal);
    this.signal.throwIfAborted();
    this.answers.push(answer);
    return answer;
  }
}

/** The quirks that the checks test, and others that the server rejected in this run. */
function tested(quirks: ServerQuirks): Partial<ServerQuirks> {
  const { streamOptions, streamWithTools, tools, systemPrompt } = quirks;
  const fields: readonly (keyof ServerQuirks)[] = Object.keys(noQuirks).filter((field) => isField(field));
  const rejected = fields.filter((field) => quirks[field] !== noQuirks[field]);
  return {
    streamOptions,
    streamWithTools,
    tools,
    systemPrompt,
    ...Object.fromEntries(rejected.map((field) => [field, quirks[field]])),
  };
}

function isField(name: string): name is keyof ServerQuirks {
  return name in noQuirks;
}

function toldInText(memory: QuirkMemory): QuirkMemory {
  return {
    get: (model) => ({ ...memory.get(model), tools: 'text' }),
    learn: (model, quirks) => memory.learn(model, { ...quirks, tools: memory.get(model).tools }),
  };
}
