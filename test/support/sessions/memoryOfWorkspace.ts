import type { WorkspaceMemory } from '../../../src/host/workspace/memory';

/** What a window remembers, for as long as the object lives. Values are kept as JSON, as VS Code keeps them. */
export class MemoryOfWorkspace implements WorkspaceMemory {
  readonly #values = new Map<string, string>();

  get(key: string): unknown {
    const value = this.#values.get(key);
    return value === undefined ? undefined : JSON.parse(value);
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, JSON.stringify(value));
  }
}
