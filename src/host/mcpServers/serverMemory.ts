import * as z from 'zod';
import type { Pin, PinStore } from '../../mcp/consent';
import type { WorkspaceMemory } from '../workspace/memory';
import { TurnQueue } from '../../util/async/turnQueue';

const pinsKey = 'openAgent.mcpServers.pins';
const offKey = 'openAgent.mcpServers.off';

const PinSchema = z.object({ hash: z.string(), description: z.string(), isRefused: z.boolean().optional() });
const Pins = z.record(z.string(), z.unknown()).catch({});
const Names = z.array(z.string()).catch([]);

/**
 * Remembers MCP servers in the user's storage: allowed and refused ones as they were shown, and those switched off.
 * Holds no values of variables or headers. Unreadable entries allow nothing.
 */
export class ServerMemory implements PinStore {
  readonly #memory: WorkspaceMemory;
  /** Changes run one after the other. */
  readonly #writes = new TurnQueue();

  constructor(memory: WorkspaceMemory) {
    this.#memory = memory;
  }

  async get(server: string): Promise<Pin | undefined> {
    const pins = this.#pins();
    return Object.hasOwn(pins, server) ? PinSchema.safeParse(pins[server]).data : undefined;
  }

  async set(server: string, pin: Pin): Promise<void> {
    await this.#change(pinsKey, () => ({ ...this.#pins(), [server]: pin }));
  }

  /** The names of the servers that are switched off. */
  get off(): readonly string[] {
    return Names.parse(this.#memory.get(offKey));
  }

  async switch(server: string, isOff: boolean): Promise<void> {
    await this.#change(offKey, () => [...this.off.filter((name) => name !== server), ...(isOff ? [server] : [])]);
  }

  #pins(): Readonly<Record<string, unknown>> {
    return Pins.parse(this.#memory.get(pinsKey));
  }

  #change(key: string, value: () => unknown): Promise<void> {
    return this.#writes.run(() => this.#memory.update(key, value()));
  }
}
