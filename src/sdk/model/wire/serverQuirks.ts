/** The features that a server rejects. Requests to it are sent in another form. */
export interface ServerQuirks {
  /** Whether it accepts `stream_options`. Without it most servers report no usage. */
  readonly streamOptions: boolean;
  /** Whether it accepts `return_progress`. Sent only to servers known to take it. */
  readonly promptProgress: boolean;
  /** Whether it streams an answer to a request that has tools. */
  readonly streamWithTools: boolean;
  /** `text`: tools are described in the system prompt, and calls and results are sent as text. */
  readonly tools: 'native' | 'text';
  /** `user`: the template has no system message, so its text starts the first user message. */
  readonly systemPrompt: 'system' | 'user';
  /** Whether it takes the model's own reasoning back. */
  readonly takesReasoning: boolean;
  /** `content` beside tool calls: always a string, `null` instead of an empty one, or always `null`. */
  readonly callContent: 'string' | 'null_if_empty' | 'null';
  /** `nine`: ids of calls are sent as nine letters and digits. Source: the templates and the API of Mistral. */
  readonly callIds: 'given' | 'nine';
  /** Whether a message of a history may hold several calls. If not, each is sent with its result. Source: Llama 3. */
  readonly callsTogether: boolean;
  /** Whether schemas are sent without what servers reject: limits of values, forms of values, or both (`true`). */
  readonly strippedSchemas: boolean | 'limits' | 'forms';
  /** Single tools whose schemas are sent without what the server rejects in them. `bare`: with the most usual keywords only. */
  readonly strippedTools: Readonly<Record<string, 'limits' | 'forms' | 'all' | 'bare'>>;
  /** Tools that are not sent because the server rejects their schemas. */
  readonly droppedTools: readonly string[];
  /** Whether it accepts `response_format` with a JSON Schema. */
  readonly responseFormat: boolean;
  /** Whether it takes images for the model. If not, each is replaced by a note. */
  readonly images: boolean;
  /** Where images of tool results are: in the result, or in a user message after all results of a step. */
  readonly resultImages: 'result' | 'user';
  /** The largest accepted `max_tokens`. */
  readonly maxTokensCap: number | null;
  /** The context window, learned when the server dropped the start of longer prompts without saying so. */
  readonly contextCap: number | null;
}

/** A server without quirks: what a memory says of a model that it does not know. */
export const noQuirks: ServerQuirks = {
  streamOptions: true,
  promptProgress: true,
  streamWithTools: true,
  tools: 'native',
  systemPrompt: 'system',
  takesReasoning: true,
  callContent: 'string',
  callIds: 'given',
  callsTogether: true,
  strippedSchemas: false,
  strippedTools: {},
  droppedTools: [],
  responseFormat: true,
  images: true,
  resultImages: 'result',
  maxTokensCap: null,
  contextCap: null,
};

/** The known quirks of one server. A model that is not known has `noQuirks`. Must not throw. */
export interface QuirkMemory {
  get(model: string): ServerQuirks;
  /** Replaces the known quirks. */
  learn(model: string, quirks: ServerQuirks): void;
}

/** A memory that is not saved. */
export function createQuirkMemory(): QuirkMemory {
  const known = new Map<string, ServerQuirks>();
  return {
    get: (model) => known.get(model) ?? noQuirks,
    learn: (model, quirks) => void known.set(model, quirks),
  };
}
