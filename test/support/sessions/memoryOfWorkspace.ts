import type { WorkspaceMemory } from '../../../src/host/workspace/memory';

/** The workspace state of a window, in memory. Stores values as JSON, like VS Code. */
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
