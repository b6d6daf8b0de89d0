import * as z from 'zod';
import { createExtensionTool, type ExtensionTool } from '../../agent/extensionTools/extensionTool';
import { nameVscodeTools } from '../../agent/extensionTools/vscodeToolNames';
import type { Disposable } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import { isJsonObject, type JsonObject } from '../../util/json';
import type { WorkspaceMemory } from '../workspace/memory';

/** A tool that VS Code knows: an extension's, its own, or one of an MCP server in VS Code's configuration. */
export interface KnownTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema; absent: no arguments. */
  readonly inputSchema: object | undefined;
  /** The extension that declares it; `null`: none. */
  readonly extension: string | null;
}

/** A known tool in the list that the person chooses from. */
export interface OfferedTool extends KnownTool {
  /** Identifies the tool by extension and name. */
  readonly key: string;
  readonly isOn: boolean;
}

export interface VscodeToolsParts {
  /** All tools now. Tools of an MCP server are there while it runs. */
  readonly known: () => readonly KnownTool[];
  /** Calls a tool and resolves with its result as text. Must end when `signal` is aborted. */
  readonly invoke: (name: string, input: JsonObject, options: { readonly signal: AbortSignal }) => Promise<string>;
  /** The user's memory, not the workspace's. */
  readonly memory: WorkspaceMemory;
  readonly onInternalError: (error: unknown) => void;
}

const memoryKey = 'openAgent.vscodeTools';
const MAX_SCHEMA_CHARACTERS = 20_000;

/** An unreadable value counts as none. */
const Keys = z.array(z.string()).catch([]);

/** The tools that VS Code knows. The agent uses only those that the person switched on. */
export class VscodeTools implements Disposable {
  readonly #parts: VscodeToolsParts;
  readonly #changes: Emitter<void>;
  /** By key; aborted when the tool is switched off. */
  readonly #inUse = new Map<string, AbortController>();

  constructor(parts: VscodeToolsParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells when the person switches a tool on or off. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** Tools of extensions first; then by provider and name. */
  get offered(): readonly OfferedTool[] {
    const on = new Set(this.#on);
    return this.#parts
      .known()
      .map((tool) => ({ ...tool, key: keyOf(tool), isOn: on.has(keyOf(tool)) }))
      .sort((a, b) => Number(a.extension === null) - Number(b.extension === null) || a.key.localeCompare(b.key));
  }

  /** Switches exactly these of `offered` on. Tools that are absent now keep their state. */
  async choose(keys: readonly string[], offered: readonly OfferedTool[] = this.offered): Promise<void> {
    const shown = new Set(offered.map(({ key }) => key));
    const kept = this.#on.filter((key) => !shown.has(key));
    const on = [...new Set([...kept, ...keys.filter((key) => shown.has(key))])];
    await this.#parts.memory.update(memoryKey, on);
    for (const [key, end] of this.#inUse) {
      if (on.includes(key)) continue;
      end.abort();
      this.#inUse.delete(key);
    }
    this.#changes.emit();
  }

  /** The tools that are on and present, for the agent. Leaves out tools without a usable schema. */
  get current(): readonly ExtensionTool[] {
    const tools = this.offered.filter(({ isOn }) => isOn);
    const names = nameVscodeTools(tools.map(({ name }) => name));
    return tools.flatMap((tool, index) => {
      const inputSchema = readSchema(tool.inputSchema);
      if (!inputSchema) return [];
      const { invoke } = this.#parts;
      return [
        createExtensionTool({
          name: names[index]!,
          extension: tool.extension,
          toolName: tool.name,
          description: tool.description,
          inputSchema,
          ended: this.#endOf(tool.key),
          call: (input, { signal }) => invoke(tool.name, input, { signal }),
        }),
      ];
    });
  }

  dispose(): void {
    for (const end of this.#inUse.values()) end.abort();
    this.#changes.dispose();
  }

  get #on(): readonly string[] {
    return Keys.parse(this.#parts.memory.get(memoryKey) ?? []);
  }

  #endOf(key: string): AbortSignal {
    let end = this.#inUse.get(key);
    if (!end) this.#inUse.set(key, (end = new AbortController()));
    return end.signal;
  }
}

function keyOf({ extension, name }: KnownTool): string {
  return `${extension ?? ''}/${name}`;
}

function readSchema(schema: object | undefined): JsonObject | undefined {
  if (schema === undefined) return { type: 'object', properties: {} };
  const text = JSON.stringify(schema);
  if (text.length > MAX_SCHEMA_CHARACTERS) return undefined;
  const copy: unknown = JSON.parse(text);
  if (!isJsonObject(copy) || (copy['type'] ?? 'object') !== 'object') return undefined;
  const { $schema: _dialect, ...rest } = copy;
  return { ...rest, type: 'object', properties: isJsonObject(rest['properties']) ? rest['properties'] : {} };
}
