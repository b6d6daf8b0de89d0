import type { AgentEvent } from '../../../sdk/events';
import { contentToText } from '../../../sdk/tool';

/** The kinds of calls that went wrong. */
export const wrongCallKinds = ['unreadable', 'unknown', 'path', 'edit', 'refused', 'prose', 'other'] as const;
export type WrongCallKind = (typeof wrongCallKinds)[number];

/** What happened in one run, without a judgement. */
export interface RunFacts {
  /** `answered`: the model ended it · `error`: the server failed. The others are limits and faults of the model. */
  readonly ended: 'answered' | 'steps' | 'tokens' | 'loop' | 'silence' | 'overflow' | 'error' | 'stopped';
  /** The text of the last response. */
  readonly answer: string;
  /** Model responses. */
  readonly steps: number;
  /** Tool calls, the failed ones too. */
  readonly calls: number;
  readonly wrongCalls: Readonly<Partial<Record<WrongCallKind, number>>>;
  /** The arguments of every call, as JSON. */
  readonly inputs: readonly string[];
  /** The paths that `read_file` read. */
  readonly readFiles: readonly string[];
  /** Tokens of prompts that were not in the server's cache, and tokens of answers. */
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** The most tokens of a prompt with its answer. */
  readonly context: number;
  /** The model thought before it answered. */
  readonly thought: boolean;
  /** With `error`. */
  readonly error?: string | undefined;
}

/** About how many characters a token has, for servers that report no tokens. */
const CHARACTERS_PER_TOKEN = 4;

/** Gathers the facts of a run from its events. */
export class FactGatherer {
  readonly #tools: readonly string[];
  #facts: Omit<RunFacts, 'ended' | 'answer'> = {
    steps: 0,
    calls: 0,
    wrongCalls: {},
    inputs: [],
    readFiles: [],
    tokensRead: 0,
    tokensWritten: 0,
    context: 0,
    thought: false,
  };
  #answer = '';
  #reading = new Map<string, string>();
  /** Characters of the response that is under way. */
  #characters = 0;
  #hasUsage = false;

  /** `tools`: the names of the offered tools. */
  constructor(tools: readonly string[]) {
    this.#tools = tools;
  }

  /** Tokens written so far, those of the unfinished response included. */
  get written(): number {
    return this.#facts.tokensWritten + Math.ceil(this.#characters / CHARACTERS_PER_TOKEN);
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'step_start':
        this.#set({ steps: this.#facts.steps + 1 });
        this.#answer = '';
        this.#hasUsage = false;
        return;
      case 'text_delta':
        this.#answer += event.text;
        this.#characters += event.text.length;
        return;
      case 'thinking_delta':
        this.#set({ thought: true });
        this.#characters += event.text.length;
        return;
      case 'tool_use_delta':
        this.#characters += event.argumentsDelta.length;
        return;
      case 'block_end':
        if (event.content.type === 'tool_use_error') this.#wrong('unreadable');
        return;
      case 'usage':
        this.#addUsage(event.usage);
        return;
      case 'step_end':
        if (!this.#hasUsage) this.#set({ tokensWritten: this.written });
        this.#characters = 0;
        return;
      case 'tool_execution_start':
        this.#set({ calls: this.#facts.calls + 1, inputs: [...this.#facts.inputs, JSON.stringify(event.input)] });
        this.#noteReading(event);
        return;
      case 'tool_execution_end': {
        const path = this.#reading.get(event.toolUseId);
        if (event.outcome === 'succeeded' && path !== undefined)
          this.#set({ readFiles: [...this.#facts.readFiles, path.replace(/^\.\//, '')] });
        const kind = wrongKind(event);
        if (kind) this.#wrong(kind);
        return;
      }
      default:
        return;
    }
  }

  /** The facts of the whole run. */
  end(ended: RunFacts['ended'], error?: string): RunFacts {
    if (ended === 'answered' && this.#isProseCall()) this.#wrong('prose');
    return { ...this.#facts, ended, answer: this.#answer, ...(error !== undefined && { error }) };
  }

  #noteReading({ toolName, toolUseId, input }: Extract<AgentEvent, { type: 'tool_execution_start' }>): void {
    const { path } = input;
    if (toolName === 'read_file' && typeof path === 'string') this.#reading.set(toolUseId, path);
  }

  #addUsage(usage: Extract<AgentEvent, { type: 'usage' }>['usage']): void {
    const { promptTokens, completionTokens, cachedTokens = 0 } = usage;
    const { tokensRead, tokensWritten, context } = this.#facts;
    this.#hasUsage = true;
    this.#set({
      tokensRead: tokensRead + Math.max(0, promptTokens - cachedTokens),
      tokensWritten: tokensWritten + completionTokens,
      context: Math.max(context, promptTokens + completionTokens),
    });
    this.#characters = 0;
  }

  /** The last answer writes a call out in words, which nothing runs. */
  #isProseCall(): boolean {
    return this.#tools.some((name) => new RegExp(`\\b${name}\\b\\s*(\\(|\`|"|with\\b|:)`).test(this.#answer));
  }

  #wrong(kind: WrongCallKind): void {
    const { wrongCalls } = this.#facts;
    this.#set({ wrongCalls: { ...wrongCalls, [kind]: (wrongCalls[kind] ?? 0) + 1 } });
  }

  #set(changes: Partial<RunFacts>): void {
    this.#facts = { ...this.#facts, ...changes };
  }
}

function wrongKind({
  outcome,
  result,
}: Extract<AgentEvent, { type: 'tool_execution_end' }>): WrongCallKind | undefined {
  if (outcome === 'denied') return 'refused';
  if (outcome !== 'failed') return undefined;
  const text = contentToText(result.content);
  if (text.startsWith('Unknown tool')) return 'unknown';
  switch (result.toolName) {
    case 'apply_edit':
    case 'write_file':
      return 'edit';
    case 'read_file':
    case 'list_directory':
    case 'search_text':
      return 'path';
    // A command that fails may be what the task is about.
    case 'run_terminal_command':
      return undefined;
    default:
      return 'other';
  }
}
