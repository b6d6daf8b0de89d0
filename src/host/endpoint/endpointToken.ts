import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../agent/servers/keys';

/**
 * The token of programs that use the endpoint. Each workspace has its own, so a program gets the agent of one workspace
 * only. The token is kept, because people set up programs once.
 */
export class EndpointToken {
  readonly #secrets: Secrets;
  readonly #name: string;

  /** `workspace`: the URI of the open workspace. */
  constructor({ secrets, workspace }: { readonly secrets: Secrets; readonly workspace: string }) {
    this.#secrets = secrets;
    this.#name = `endpointToken:${createHash('sha256').update(workspace).digest('hex')}`;
  }

  /** The token, made on first use. */
  async get(): Promise<string> {
    return (await this.#secrets.get(this.#name)) ?? this.replace();
  }

  /** Makes another token. The old one stops working. */
  async replace(): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.#secrets.store(this.#name, token);
    return token;
  }
}
