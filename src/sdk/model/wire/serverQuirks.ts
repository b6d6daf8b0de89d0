/** What a server does not take, so that requests to it are written in another way. */
export interface ServerQuirks {
  /** Whether it takes `stream_options`; without it most servers report no usage. */
  readonly streamOptions: boolean;
  /** Whether it streams an answer to a request that has tools. */
  readonly streamWithTools: boolean;
  /** `text`: tools are described in the system prompt, calls and results travel as text. */
  readonly tools: 'native' | 'text';
  /** `user`: the template takes no system message, so its text begins the first user message. */
  readonly systemPrompt: 'system' | 'user';
  /** What `content` is beside tool calls: always a string, `null` instead of an empty one, or always `null`. */
  readonly callContent: 'string' | 'null_if_empty' | 'null';
  /** Whether schemas are sent without the keywords that servers cannot make a grammar of. */
  readonly strippedSchemas: boolean;
  /** Tools that are not sent because the server refuses their schemas. */
  readonly droppedTools: readonly string[];
  /** Whether it takes `response_format` with a JSON Schema. */
  readonly responseFormat: boolean;
  /** The largest `max_tokens` it takes. */
  readonly maxTokensCap: number | null;
}

/** A server that takes everything. */
export const noQuirks: ServerQuirks = {
  streamOptions: true,
  streamWithTools: true,
  tools: 'native',
  systemPrompt: 'system',
  callContent: 'string',
  strippedSchemas: false,
  droppedTools: [],
  responseFormat: true,
  maxTokensCap: null,
};

/** What is known of one server. Must not throw. */
export interface QuirkMemory {
  get(model: string): ServerQuirks;
  /** Keeps all that is known now; it replaces what was known before. */
  learn(model: string, quirks: ServerQuirks): void;
}

/** A memory that lives as long as its owner. */
export function createQuirkMemory(): QuirkMemory {
  const known = new Map<string, ServerQuirks>();
  return {
    get: (model) => known.get(model) ?? noQuirks,
    learn: (model, quirks) => void known.set(model, quirks),
  };
}
