import { createFetch } from '../../../sdk/model/http/httpTransport';
import { systemTimer } from '../../../util/timer';
import { KeyStore, memorySecrets, type Secrets } from '../keys';
import { LearnedQuirks, type QuirkStore } from '../learnedQuirks';
import { CacheWarmer } from '../model/cacheWarmer';
import { SlotQueue } from '../model/slotQueue';
import type { OwnServerAccess } from './ownServerAccess';

/** How one process reaches its model servers. All sessions and requests share it. */
export interface ModelAccess {
  readonly keys: KeyStore;
  readonly quirks: LearnedQuirks;
  readonly slots: SlotQueue;
  /** Has timers only after answers of sessions. The owner of the sessions disposes it after them. */
  readonly warmer: CacheWarmer;
  readonly fetch: typeof fetch;
  /** The server that Open Agent runs on this machine. Absent: it runs none. */
  readonly ownServer?: OwnServerAccess | undefined;
}

export interface ModelAccessParts {
  /** Absent: keys live as long as the process. */
  readonly secrets?: Secrets | undefined;
  /** Absent: learned quirks live as long as the process. */
  readonly quirkStore?: QuirkStore | undefined;
  /** The path of a PEM file, read for each https request; empty: only the usual authorities are trusted. */
  readonly certificateAuthority: () => string;
  /** Makes another `fetch` of the direct one. Absent: requests go out directly. */
  readonly via?: ((direct: typeof fetch) => typeof fetch) | undefined;
  readonly ownServer?: OwnServerAccess | undefined;
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** Composes the access to model servers for VS Code, the command line and the endpoint. Sends nothing. */
export function openModelAccess(parts: ModelAccessParts): ModelAccess {
  const { secrets = memorySecrets(), quirkStore: store, certificateAuthority, via, ownServer, onInternalError } = parts;
  const direct = createFetch({ ca: certificateAuthority });
  const sent = via ? via(direct) : direct;
  const slots = new SlotQueue();
  return {
    keys: new KeyStore({ secrets, ownKeyAt: ownServer?.keyAt }),
    quirks: new LearnedQuirks({ store, now: Date.now, onInternalError }),
    slots,
    warmer: new CacheWarmer({ slots, setTimer: systemTimer }),
    fetch: ownServer ? ownServer.through(sent) : sent,
    ownServer,
  };
}
