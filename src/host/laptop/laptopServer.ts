import * as vscode from 'vscode';
import type { OwnServer } from '../../agent/servers/access/ownServer';
import type { Secrets } from '../../agent/servers/keys';
import { originOf } from '../../sdk/model/http/baseUrl';
import { createLazy } from '../../util/lazy';
import { messageOf } from '../../util/errors';

export interface LaptopServerParts {
  readonly memory: vscode.Memento;
  /** The address of the settings; empty: none. */
  readonly setBaseUrl: () => string;
}

/** The way to a model server on the laptop while the window is connected to a remote. Loads its code with the first use. */
export class LaptopServer {
  readonly isRemote = vscode.env.remoteName !== undefined;
  readonly #parts: LaptopServerParts;
  readonly #bridge = createLazy(() => import('./bridgedFetch'));

  constructor(parts: LaptopServerParts) {
    this.#parts = parts;
  }

  /** The person uses the laptop's servers in remote windows. */
  get isOn(): boolean {
    return this.isRemote && vscode.workspace.getConfiguration('openAgent').get('useLaptop') === true;
  }

  /** A `fetch` that goes through the laptop while the setting says so. */
  through(direct: typeof fetch): typeof fetch {
    const send = createLazy(async () => {
      const { createBridgedFetch } = await this.#bridge.get();
      return createBridgedFetch(vscode.commands.executeCommand, (origin) => origin === this.#setOrigin());
    });
    return async (input, init) => (this.isOn ? (await send.get())(input, init) : direct(input, init));
  }

  /**
   * The secrets without those of servers while requests go to the laptop: `localhost` is another server there, and its key
   * stays on the laptop.
   */
  without(secrets: Secrets): Secrets {
    return {
      get: async (name) => (this.isOn ? undefined : secrets.get(name)),
      store: (name, value) => secrets.store(name, value),
      delete: (name) => secrets.delete(name),
    };
  }

  /** The server of the laptop that this window may use. `undefined`: none. Asks nobody. */
  async find(): Promise<OwnServer | undefined> {
    try {
      const reply = await this.#ask({ type: 'status' });
      if (reply.kind === 'refused') return { kind: 'failed', message: reply.message };
      const origins = reply.kind === 'status' ? reply.origins : [];
      const chosen = this.#parts.memory.get(MEMORY_KEY);
      const origin = origins.find((one) => one === chosen) ?? origins[0];
      return origin === undefined ? undefined : { kind: 'running', baseUrl: `${origin}/v1` };
    } catch (error) {
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  /**
   * Lets the person choose a server on the laptop and agree to its use. A server that the settings name is the only choice.
   * Resolves with whether they agreed. Rejects with an error for people.
   */
  async choose(): Promise<boolean> {
    const set = this.#setOrigin();
    const reply = await this.#ask({ type: 'choose', ...(set !== undefined && { origin: set }) });
    if (reply.kind === 'refused') throw new Error(reply.message);
    if (reply.kind !== 'chosen' || reply.origin === undefined) return false;
    await this.#parts.memory.update(MEMORY_KEY, reply.origin);
    return true;
  }

  /** Lets the person enter a key on the laptop, which keeps it. Resolves with whether they did. */
  async changeKey(origin: string): Promise<boolean> {
    const reply = await this.#ask({ type: 'setKey', origin });
    if (reply.kind === 'refused') throw new Error(reply.message);
    return reply.kind === 'keyChanged' && reply.isChanged;
  }

  async #ask(question: { type: 'status' } | { type: 'choose'; origin?: string } | { type: 'setKey'; origin: string }) {
    const { askBridge } = await this.#bridge.get();
    return askBridge(vscode.commands.executeCommand, question);
  }

  #setOrigin(): string | undefined {
    const set = this.#parts.setBaseUrl();
    try {
      return set === '' ? undefined : originOf(set);
    } catch {
      // The panel says what is wrong with the address.
      return undefined;
    }
  }
}

const MEMORY_KEY = 'laptopServer';
