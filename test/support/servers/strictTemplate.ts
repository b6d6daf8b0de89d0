import type { CompletionRequest, ModelServer, Turn, WireMessage } from './modelServer';

/** The features of a template; by default all. */
export interface TemplateFeatures {
  readonly hasTools?: boolean | undefined;
  readonly hasSystemRole?: boolean | undefined;
}

/** Turns for a server whose template accepts only a well-formed history. `refusals` has its rejections. */
export class StrictTemplate {
  readonly refusals: string[] = [];
  readonly #server: ModelServer;
  readonly #features: TemplateFeatures;

  constructor(server: ModelServer, features: TemplateFeatures = {}) {
    this.#server = server;
    this.#features = features;
  }

  /** Adds turns; only well-formed requests get them. A function makes its turn from the request. */
  script(...turns: readonly (Turn | ((request: CompletionRequest) => Turn))[]): void {
    this.#server.script(
      ...turns.map((turn) => (request: CompletionRequest): Turn => {
        const problem = requestProblem(request.body, this.#features);
        if (problem === undefined) return typeof turn === 'function' ? turn(request) : turn;
        this.refusals.push(`${problem}: ${JSON.stringify(request.body.messages.slice(1))}`);
        return { kind: 'status', status: 500, body: { error: { code: 500, message: problem } } };
      }),
    );
  }
}

/** `templateProblem` of a request's body, for a template with these features. */
export function requestProblem(
  { messages, tools }: { readonly messages: readonly WireMessage[]; readonly tools?: unknown },
  { hasTools = true, hasSystemRole = true }: TemplateFeatures = {},
): string | undefined {
  if (!hasTools && tools !== undefined) return 'tools are not supported';
  if (hasSystemRole) return templateProblem(messages, tools !== undefined);
  if (messages.some(({ role }) => role === 'system')) return 'System role not supported';
  return templateProblem([{ role: 'system', content: 's' }, ...messages], tools !== undefined);
}

/**
 * The problem that the strictest templates of all model families find, or `undefined`. They require one system message,
 * first; user and assistant in turn; results right after their calls, in order, with their ids; no empty message; and the
 * last message not from the assistant.
 */
export function templateProblem(messages: readonly WireMessage[], hasTools: boolean): string | undefined {
  let expected: 'user' | 'assistant' | 'any' = 'user';
  let open: string[] = [];
  const usedIds = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls } = message;
    const at = `message ${index} (${role})`;
    if ((role === 'system') !== (index === 0)) return `${at}: one system message, first`;
    if (role === 'system') continue;
    if (typeof content !== 'string') return `${at}: content must be a string`;
    if (role === 'tool') {
      if (message.tool_call_id !== open[0]) return `${at}: the result of ${open[0]} was expected`;
      open = open.slice(1);
      if (open.length === 0) expected = 'assistant';
      continue;
    }
    if (open.length > 0) return `${at}: the call ${open[0]} has no result`;
    if (role !== expected) return `${at}: roles must alternate`;
    if (role === 'user') {
      if (content === '') return `${at}: empty`;
      expected = 'assistant';
      continue;
    }
    if (calls === undefined) {
      if (content.trim() === '') return `${at}: empty`;
      expected = 'user';
      continue;
    }
    if (calls.length === 0 || !hasTools) return `${at}: calls without calls or tools`;
    for (const call of calls) {
      if (call.id === '' || usedIds.has(call.id)) return `${at}: the id "${call.id}" is empty or was used before`;
      usedIds.add(call.id);
      if (!isObject(call.function.arguments)) return `${at}: ${call.function.arguments} is no JSON object`;
    }
    open = calls.map(({ id }) => id);
    expected = 'any';
  }
  if (open.length > 0) return `the call ${open[0]} has no result`;
  return expected === 'assistant' ? undefined : 'the last message must be of a user or a tool';
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
