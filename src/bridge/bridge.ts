import type { Disposable } from '../util/disposable';
import * as l10n from '../util/l10n';
import { isOrigin } from './allowedRequests';
import type { Consents } from './consents';
import { Forwarder, refusal, type ForwarderParts } from './forwarder';
import { bridgeName, type BridgeReply } from './messages';
import { parseMessage, type BridgeMessage } from './parseMessage';

export interface BridgeParts extends Omit<ForwarderParts, 'isAllowed'> {
  readonly consents: Consents;
  /** Lets the person choose one of the laptop's servers, or write an address. `undefined`: they chose none. */
  readonly chooseServer: () => Promise<string | undefined>;
  /** Lets the person enter or remove a key. Resolves with whether they did. */
  readonly changeKey: (origin: string) => Promise<boolean>;
  /** A window without a remote needs no bridge. */
  readonly isRemote: () => boolean;
}

/** Answers the messages of the remote extension host. Every message may come from any extension of the window. */
export class Bridge implements Disposable {
  readonly #parts: BridgeParts;
  readonly #forwarder: Forwarder;
  /** A dialog of `choose` or `setKey` is open. */
  #isAsking = false;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
    this.#forwarder = new Forwarder({
      ...parts,
      isAllowed: (origin, mayAsk) => parts.consents.isAllowed(origin, mayAsk),
    });
  }

  get openCount(): number {
    return this.#forwarder.openCount;
  }

  async answer(value: unknown): Promise<BridgeReply> {
    const message = parseMessage(value);
    if (!message) {
      return refusal(
        'request',
        l10n.t(
          '{0} on your laptop does not know this request. Install the same version of both extensions.',
          bridgeName,
        ),
      );
    }
    if (!this.#parts.isRemote()) return refusal('request', l10n.t('This window is not connected to a remote.'));
    return this.#answer(message);
  }

  /** Takes a consent back, and ends the requests that rest on it. */
  async revoke(origin: string): Promise<void> {
    const revoked = this.#parts.consents.revoke(origin);
    this.#forwarder.cancelAll(origin);
    await revoked;
  }

  dispose(): void {
    this.#forwarder.dispose();
  }

  async #answer(message: BridgeMessage): Promise<BridgeReply> {
    const { consents, chooseServer, changeKey } = this.#parts;
    switch (message.type) {
      case 'status':
        return { kind: 'status', origins: [...consents.origins] };
      case 'choose':
        return this.#once(async () => {
          const origin = message.origin ?? (await chooseServer());
          const isFromList = message.origin === undefined;
          const isAllowed = origin !== undefined && isOrigin(origin) && (await consents.choose(origin, isFromList));
          return { kind: 'chosen', ...(isAllowed && { origin }) };
        });
      case 'setKey':
        if (!consents.has(message.origin)) {
          return refusal(
            'consent',
            l10n.t('You have not allowed this window to use {0} on your laptop.', message.origin),
          );
        }
        return this.#once(async () => ({ kind: 'keyChanged', isChanged: await changeKey(message.origin) }));
      case 'start':
        return this.#forwarder.start(message);
      case 'read':
        return this.#forwarder.read(message.id);
      case 'cancel':
        return this.#forwarder.cancel(message.id);
    }
  }

  async #once(show: () => Promise<BridgeReply>): Promise<BridgeReply> {
    if (this.#isAsking) return refusal('busy', l10n.t('Your laptop already shows a question.'));
    this.#isAsking = true;
    try {
      return await show();
    } finally {
      this.#isAsking = false;
    }
  }
}
