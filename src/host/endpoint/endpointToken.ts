import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../agent/servers/keys';

/**
 * What programs prove themselves with: one for each workspace, so that a program that may use the agent of one may not use
 * that of another. It is kept, because programs are set up once.
 */
export class EndpointToken {
  readonly #secrets: Secrets;
  readonly #name: string;

  /** `workspace`: the URI of what is open. */
  constructor({ secrets, workspace }: { readonly secrets: Secrets; readonly workspace: string }) {
    this.#secrets = secrets;
    this.#name = `endpointToken:${createHash('sha256').update(workspace).digest('hex')}`;
  }

  /** The token; made when there is none yet. */
  async get(): Promise<string> {
    return (await this.#secrets.get(this.#name)) ?? this.replace();
  }

  /** Makes another one. The one before counts no more. */
  async replace(): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.#secrets.store(this.#name, token);
    return token;
  }
}
