import * as z from 'zod';
import { originOf } from '../../../sdk/model/http/baseUrl';

const memoryKey = 'openAgent.modelChoice';

const ModelChoice = z.object({ origin: z.string(), model: z.string().min(1) });

export interface ModelSelectionParts {
  /** Keeps the choice for this workspace. */
  readonly memory: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  /** The model of the settings; empty: any. */
  readonly setting: () => string;
}

/**
 * The model that the person wants. A model chosen in this workspace wins over the setting, but only for the server it was
 * chosen from: another server does not know it.
 */
export class ModelSelection {
  readonly #parts: ModelSelectionParts;

  constructor(parts: ModelSelectionParts) {
    this.#parts = parts;
  }

  /** The model's id; empty: any. */
  wantedAt(baseUrl: string): string {
    const { memory, setting } = this.#parts;
    const choice = ModelChoice.safeParse(memory.get(memoryKey));
    return choice.success && choice.data.origin === safeOrigin(baseUrl) ? choice.data.model : setting();
  }

  async choose(baseUrl: string, model: string): Promise<void> {
    await this.#parts.memory.update(memoryKey, { origin: originOf(baseUrl), model });
  }

  /** Forgets the choice, because the person changed the setting after it. */
  async forget(): Promise<void> {
    await this.#parts.memory.update(memoryKey, undefined);
  }
}

function safeOrigin(baseUrl: string): string | undefined {
  try {
    return originOf(baseUrl);
  } catch {
    // Nothing can have been chosen from a server whose address is no URL.
    return undefined;
  }
}
