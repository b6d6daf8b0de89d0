import { isJsonObject, type JsonObject } from '../../util/json';
import { toDisposable, type Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { Tool } from './openAgentApi';

/** A tool of another extension, as it was when registered. */
export interface RegisteredTool {
  readonly name: string;
  readonly extension: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Foreign code: `validate`, `prepare` and `run`. */
  readonly tool: Tool;
  /** Aborted when the extension takes the tool back. */
  readonly ended: AbortSignal;
}

const MAX_SCHEMA_CHARACTERS = 20_000;
const MAX_TOOLS_OF_ONE = 50;

/** The tools that other extensions have registered. Needs nothing of the agent, so registering loads nothing. */
export class RegisteredTools implements Disposable {
  readonly #tools = new Map<string, RegisteredTool>();
  readonly #changes: Emitter<void>;

  constructor(parts: { readonly onInternalError: (error: unknown) => void }) {
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells when `current` changes. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** In the order of registration. */
  get current(): readonly RegisteredTool[] {
    return [...this.#tools.values()];
  }

  /**
   * Keeps a tool until the result is disposed. Throws an `Error` for the extension's author when the tool cannot be
   * used.
   */
  add(value: unknown, extension: string): Disposable {
    const { name, ...rest } = readTool(value);
    const key = spellingOf(name);
    const other = this.#tools.get(key);
    if (other) throw new Error(`registerTool: the name "${name}" is taken by a tool of ${other.extension}.`);
    if (this.current.filter((tool) => tool.extension === extension).length >= MAX_TOOLS_OF_ONE) {
      throw new Error(`registerTool: ${extension} has ${MAX_TOOLS_OF_ONE} tools already. Remove some first.`);
    }
    const end = new AbortController();
    this.#tools.set(key, { name, ...rest, extension, ended: end.signal });
    this.#changes.emit();
    return toDisposable(() => {
      this.#tools.delete(key);
      end.abort();
      this.#changes.emit();
    });
  }

  dispose(): void {
    this.#changes.dispose();
    this.#tools.clear();
  }
}

function readTool(value: unknown): Omit<RegisteredTool, 'extension' | 'ended'> {
  if (!isToolLike(value)) {
    throw new Error('registerTool: this is not a tool. Make one with tool() of open-agent-sdk.');
  }
  const { name, description } = value;
  if (!/^[A-Za-z0-9_-]{1,59}$/.test(name)) {
    throw new Error('registerTool: a name has 1 to 59 letters, digits, "_" and "-"; servers take no other.');
  }
  const inputSchema = copySchema(value.inputSchema, name);
  return { name, description, inputSchema, tool: value };
}

function isToolLike(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false;
  const { name, description, inputSchema, validate, prepare, run } = value as Partial<Record<keyof Tool, unknown>>;
  const hasSteps = [validate, prepare, run].every((step) => typeof step === 'function');
  return typeof name === 'string' && typeof description === 'string' && isJsonObject(inputSchema) && hasSteps;
}

function copySchema(schema: JsonObject, name: string): JsonObject {
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_CHARACTERS) {
    throw new Error(`registerTool: the schema of "${name}" is too large for a small model's window.`);
  }
  const copy: unknown = JSON.parse(text);
  if (!isJsonObject(copy) || copy['type'] !== 'object') {
    throw new Error(`registerTool: the schema of "${name}" must be of the type "object".`);
  }
  return isJsonObject(copy['properties']) ? copy : { ...copy, properties: {} };
}

/** Models change the case of names, and mix up `-` and `_`. */
function spellingOf(name: string): string {
  return name.replaceAll('-', '_').toLowerCase();
}
