/** The one command of the bridge that other extensions call. It takes a `BridgeMessage` and resolves with a `BridgeReply`. */
export const bridgeCommand = 'openAgentBridge.call';

/** How a message for people and for errors names the extension. */
export const bridgeName = 'Open Agent Bridge';

/** A bridge of another version refuses. */
export const bridgeVersion = 1;

export const limits = {
  /** Requests of a window that are open at once. */
  openRequests: 16,
  /** Characters of a request's body: a long conversation with images. */
  bodyLength: 32_000_000,
  /** Bytes of an answer to a completion, and to any other request. */
  completionBytes: 64_000_000,
  answerBytes: 9_000_000,
  /** Bytes of an answer that wait to be read. The server waits when there are more. */
  waitingBytes: 256_000,
  /** Bytes of the body of an answer with an error status. The rest is not read. */
  errorBytes: 64_000,
  /** How long a `read` waits for something to tell, in milliseconds. */
  readMs: 15_000,
  /** How long a request lives without a `read`, in milliseconds. */
  leaseMs: 60_000,
} as const;

/** In this order: `sent` and `head` once at most, any number of `data`, and `end` or `failed` last. */
export type BridgeEvent =
  /** The request was sent whole. */
  | { readonly type: 'sent' }
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Bytes of the body, in base64. */
  | { readonly type: 'data'; readonly base64: string }
  | { readonly type: 'end' }
  /** `code`: that of the system, such as `ECONNREFUSED`; may be empty. */
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

export type BridgeReply =
  | { readonly kind: 'status'; readonly origins: readonly string[] }
  /** Without an origin the person chose none. */
  | { readonly kind: 'chosen'; readonly origin?: string | undefined }
  | { readonly kind: 'keyChanged'; readonly isChanged: boolean }
  | { readonly kind: 'started'; readonly id: string }
  /** Empty when nothing happened for a while. */
  | { readonly kind: 'events'; readonly events: readonly BridgeEvent[] }
  | { readonly kind: 'cancelled' }
  /** `consent`: the person has not allowed it. */
  | {
      readonly kind: 'refused';
      readonly reason: 'consent' | 'request' | 'busy' | 'gone';
      readonly message: string;
    };
