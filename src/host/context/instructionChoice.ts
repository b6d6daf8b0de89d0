import * as z from 'zod';
import type { WorkspaceMemory } from '../workspace/memory';

const memoryKey = 'openAgent.instructionsOff';
const MAX_PLACES = 200;

/** An unreadable value counts as none. */
const Places = z.array(z.string().max(1_000)).max(MAX_PLACES).catch([]);

/** The places whose instructions the person has switched off in this workspace. Kept in the user's storage. */
export class InstructionChoice {
  readonly #memory: WorkspaceMemory;

  constructor(memory: WorkspaceMemory) {
    this.#memory = memory;
  }

  /** In order, each once. */
  get off(): readonly string[] {
    return Places.parse(this.#memory.get(memoryKey) ?? []);
  }

  async switch(id: string, isOn: boolean): Promise<void> {
    const others = this.off.filter((place) => place !== id);
    const off = isOn ? others : [...others, id].toSorted().slice(-MAX_PLACES);
    await this.#memory.update(memoryKey, off);
  }
}
