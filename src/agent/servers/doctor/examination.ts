import type { ModelLogger } from '../../../sdk/model/modelLogger';
import { createQuirkMemory, noQuirks, type QuirkMemory, type ServerQuirks } from '../../../sdk/model/wire/serverQuirks';
import { probeServer, type FoundServer, type ServerProbe } from '../probe/serverProbe';
import type { SlotQueue } from '../model/slotQueue';
import { askModel, type Answer, type Question } from './askModel';

export interface DoctorOptions {
  /** Empty: none is set and none was found. */
  readonly baseUrl: string;
  /** Empty: the first the server lists, loaded ones first. */
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly fetch: typeof fetch;
  /** The process's own queue, so that a running answer is not disturbed. */
  readonly slots: SlotQueue;
  /** What is known of the server at `baseUrl`; it learns what is found out. */
  readonly quirks: QuirkMemory;
  /** The person's settings, as far as a finding depends on them; `null`: not set. */
  readonly settings: { readonly contextWindow: number | null; readonly maxTokens: number | null };
  readonly logger?: ModelLogger | undefined;
  /** In milliseconds; for durations only. */
  readonly now: () => number;
}

/** Asks the model once; whoever has it holds a place at the server. */
export type Ask = (question: Question) => Promise<Answer>;

/** What the checks of one run have found out so far; each adds to it, and the later ones build on it. */
export class Examination {
  readonly options: DoctorOptions;
  readonly signal: AbortSignal;
  readonly #say: (doing: string) => void;
  /** What the requests of this run have taught; nothing that is being tested is taken as known. */
  readonly #quirks: QuirkMemory = createQuirkMemory();
  /** Every answer there was. */
  readonly answers: Answer[] = [];
  server: FoundServer | undefined;
  model: string;
  /** To a plain question. */
  answer: Answer | undefined;
  /** To one with a tool, of which the server wanted to hear in text. */
  answerInText: Answer | undefined;
  /** How the model can be offered tools, once that is known. */
  tools: ServerQuirks['tools'] | undefined;

  constructor(options: DoctorOptions, parts: { readonly signal: AbortSignal; readonly say: (doing: string) => void }) {
    this.options = options;
    this.model = options.model;
    this.signal = parts.signal;
    this.#say = parts.say;
  }

  /** What has been learned of the server and the model, with what was known before and is not tested here. */
  get quirks(): ServerQuirks {
    const { model, options } = this;
    return { ...options.quirks.get(model), ...tested(this.#quirks.get(model)) };
  }

  /** Asks the server what it is. Rejects only when the run was stopped. */
  probe(): Promise<ServerProbe> {
    const { baseUrl, apiKey, fetch } = this.options;
    this.#say('Asking the server what it is');
    return probeServer(baseUrl, { apiKey, fetch, signal: this.signal });
  }

  /** Asks the model, after whoever is before us in the queue. `tools: 'text'` has tools described in text. */
  ask(question: Question, how: { readonly tools?: ServerQuirks['tools'] | undefined } = {}): Promise<Answer> {
    return this.inOneGo((ask) => ask(question), how);
  }

  /** Several questions, one after another, with nobody else's between them where the server has one slot. */
  async inOneGo<T>(
    work: (ask: Ask) => Promise<T>,
    how: { readonly tools?: ServerQuirks['tools'] | undefined } = {},
  ): Promise<T> {
    const { slots } = this.options;
    const baseUrl = this.server?.baseUrl ?? this.options.baseUrl;
    if (slots.ahead(baseUrl) > 0) this.#say('Waiting for the running answer');
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
    this.#say('Connecting');
    const parts = { baseUrl, model: this.model, apiKey, fetch, logger, quirks, now, say: this.#say };
    const answer = await askModel(question, parts, this.signal);
    this.signal.throwIfAborted();
    this.answers.push(answer);
    return answer;
  }
}

/** What the checks find out about by themselves, and whatever else the server has rejected. */
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
