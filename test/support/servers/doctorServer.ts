import { runDoctor, type DoctorOptions, type DoctorResult } from '../../../src/agent/servers/doctor/doctor';
import { LearnedQuirks } from '../../../src/agent/servers/learnedQuirks';
import { SlotQueue } from '../../../src/agent/servers/model/slotQueue';
import type { DoctorReport, Finding } from '../../../src/agent/view/server/doctorReport';
import { findingsOf } from '../../../src/agent/view/server/doctorReport';
import { createFetch } from '../../../src/sdk/model/http/httpTransport';
import { ModelServer, type CompletionRequest, type ModelServerOptions, type Turn } from './modelServer';

/** The Doctor's questions to a model, by purpose. */
export type DoctorQuestion = 'plain' | 'call' | 'parallel' | 'together' | 'result' | 'cache';

type Reply = Turn | ((request: CompletionRequest) => Turn);

export interface DoctorServerOptions extends ModelServerOptions {
  readonly kind?: 'llama.cpp' | 'ollama' | 'lmstudio' | 'vllm' | undefined;
  /** Replies that replace those of a healthy server and model. */
  readonly replies?: Partial<Record<DoctorQuestion, Reply>> | undefined;
  /** Cached tokens of a long prompt; null: the server does not report them. */
  readonly cachedTokens?: number | null | undefined;
  readonly slots?: number | undefined;
  /** Ollama only: no model is loaded before the first answer, and no context window is reported. */
  readonly isSilentOnWindow?: boolean | undefined;
}

/** A server that answers the Doctor's questions any number of times. */
export async function startDoctorServer(options: DoctorServerOptions = {}): Promise<ModelServer> {
  const { kind = 'llama.cpp', models: [model = 'test-model'] = [], contextWindow: tokens = 32_768 } = options;
  const server = await ModelServer.start(options);
  const route = (path: string, body: unknown): void => server.setRoute(path, { status: 200, body });
  const list = (entry: object): void => route('/v1/models', { object: 'list', data: [{ id: model, ...entry }] });
  const isNotThere = (): void => server.setRoute('/props', { status: 404, body: { error: 'no such page' } });
  switch (kind) {
    case 'llama.cpp':
      route('/props', { default_generation_settings: { n_ctx: tokens }, total_slots: options.slots ?? 1 });
      break;
    case 'ollama':
      isNotThere();
      list({ object: 'model', owned_by: 'library' });
      route('/api/version', { version: '0.13.0' });
      route('/api/ps', { models: options.isSilentOnWindow ? [] : [{ name: model, context_length: tokens }] });
      route('/api/show', { model_info: { 'qwen3.context_length': 40_960 } });
      break;
    case 'lmstudio':
      isNotThere();
      list({ object: 'model', owned_by: 'organization_owner' });
      route('/api/v0/models', {
        data: [{ id: model, type: 'llm', state: 'loaded', max_context_length: 131_072, loaded_context_length: tokens }],
      });
      break;
    case 'vllm':
      isNotThere();
      list({ object: 'model', owned_by: 'vllm', max_model_len: tokens });
      break;
    default:
      kind satisfies never;
  }
  const { cachedTokens = 1_400, replies = {} } = options;
  const respond = (request: CompletionRequest): Turn => {
    const question = questionOf(request);
    const reply = replies[question] ?? healthy(question, cachedTokens);
    return typeof reply === 'function' ? reply(request) : reply;
  };
  server.script(...Array.from({ length: 24 }, () => respond));
  return server;
}

/** A call of the Doctor's tool in text, from a model whose server does not parse calls. */
export function callText(number: number): string {
  return `<tool_call>\n{"name": "get_word", "arguments": {"number": ${number}}}\n</tool_call>`;
}

export function questionOf({ body }: CompletionRequest): DoctorQuestion {
  const text = JSON.stringify(body.messages);
  if (text.includes('from 1 to 20')) return 'plain';
  if (text.includes('numbers 1 and 2')) return text.includes('heron') ? 'together' : 'parallel';
  if (text.includes('number 42')) return 'call';
  return text.includes('number 7') ? 'result' : 'cache';
}

function healthy(question: DoctorQuestion, cachedTokens: number | null): Reply {
  const called = (...numbers: readonly number[]): Reply => {
    return ({ body }) =>
      body.tools === undefined
        ? { text: numbers.map(callText).join('\n') }
        : { toolCalls: numbers.map((number) => ({ name: 'get_word', arguments: { number } })) };
  };
  switch (question) {
    case 'plain':
      return { text: '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20' };
    case 'together':
      return { text: 'heron and otter' };
    case 'call':
      return called(42);
    case 'parallel':
      return called(1, 2);
    case 'result':
      return { text: 'heron' };
    case 'cache': {
      const counts = { promptTokens: 1_500, completionTokens: 2 };
      return { text: 'stork', usage: cachedTokens === null ? counts : { ...counts, cachedTokens } };
    }
  }
}

export interface Examined extends DoctorResult {
  /** Every intermediate report. */
  readonly progress: readonly DoctorReport[];
  readonly findings: readonly Finding[];
  readonly finding: (id: Finding['id']) => Omit<Finding, 'id' | 'title'>;
  /** `id: status` of every finding. */
  readonly outline: readonly string[];
}

/** Runs the Doctor on a server; durations are always 400 ms. */
export async function examine(
  options: Partial<DoctorOptions> & Pick<DoctorOptions, 'baseUrl'>,
  signal: AbortSignal = new AbortController().signal,
  onProgress: (report: DoctorReport) => void = () => {},
): Promise<Examined> {
  const progress: DoctorReport[] = [];
  let nowMs = 0;
  const result = await runDoctor(
    {
      model: 'test-model',
      fetch: createFetch(),
      slots: new SlotQueue(),
      quirks: new LearnedQuirks({ now: () => 0 }).memoryFor(options.baseUrl),
      settings: { contextWindow: null, maxTokens: null },
      now: () => (nowMs += 400),
      ...options,
    },
    {
      signal,
      onProgress: (report) => {
        progress.push(report);
        onProgress(report);
      },
    },
  );
  const findings = findingsOf(result.report);
  return {
    ...result,
    progress,
    findings,
    finding: (id) => {
      const { id: _id, title: _title, ...rest } = findings.find((each) => each.id === id)!;
      return rest;
    },
    outline: findings.map(({ id, status }) => `${id}: ${status}`),
  };
}
