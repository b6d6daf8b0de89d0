import * as z from 'zod';
import { originOf } from '../../sdk/model/http/endpointUrl';
import type { WorkspaceMemory } from '../workspace/memory';

const memoryKey = 'openAgent.modelChoice';

const ModelChoice = z.object({ origin: z.string(), model: z.string().min(1) });

/**
 * Which model the person wants. What they chose in this workspace comes before the setting, for the server it was chosen
 * from: another server does not know that model.
 */
export class ModelSelection {
  readonly #memory: WorkspaceMemory;
  readonly #setting: () => string;

  constructor(parts: { readonly memory: WorkspaceMemory; readonly setting: () => string }) {
    this.#memory = parts.memory;
    this.#setting = parts.setting;
  }

  /** The model's id; empty when any will do. */
  wantedAt(baseUrl: string): string {
    const choice = ModelChoice.safeParse(this.#memory.get(memoryKey));
    return choice.success && choice.data.origin === safeOrigin(baseUrl) ? choice.data.model : this.#setting();
  }

  async choose(baseUrl: string, model: string): Promise<void> {
    await this.#memory.update(memoryKey, { origin: originOf(baseUrl), model });
  }

  /** For when the setting is changed: the person's newest word counts. */
  async forget(): Promise<void> {
    await this.#memory.update(memoryKey, undefined);
  }
}

function safeOrigin(baseUrl: string): string | undefined {
  try {
    return originOf(baseUrl);
  } catch {
    // A setting that is no URL has no server that a model could have been chosen from.
    return undefined;
  }
}
