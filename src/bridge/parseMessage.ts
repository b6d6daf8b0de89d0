import * as z from 'zod/mini';
import { bridgeVersion, limits } from './messages';

const version = z.literal(bridgeVersion);
/** Scheme, host and port, as `URL.origin` writes them. */
const origin = z.string().check(z.maxLength(300));
const id = z.string().check(z.maxLength(100));

/**
 * What the bridge is asked to do. A request has no headers and no method: the bridge sets them, by the path. Unknown fields
 * are refused.
 */
const Message = z.discriminatedUnion('type', [
  /** Which servers this window may use. Asks nobody. */
  z.strictObject({ version, type: z.literal('status') }),
  /** Lets the person choose one of the laptop's servers, or asks about the one that their settings name. */
  z.strictObject({ version, type: z.literal('choose'), origin: z.optional(origin) }),
  /** Lets the person enter the key of a server that this window may use. The bridge keeps it. */
  z.strictObject({ version, type: z.literal('setKey'), origin }),
  z.strictObject({
    version,
    type: z.literal('start'),
    origin,
    /** One of `allowedPaths`. */
    path: z.string().check(z.maxLength(100)),
    /** The model that llama-server is asked about. */
    model: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    body: z.optional(z.string().check(z.maxLength(limits.bodyLength))),
    /** Asks the person when there is no consent yet. Absent: such a request is refused. */
    mayAsk: z.optional(z.boolean()),
  }),
  z.strictObject({ version, type: z.literal('read'), id }),
  z.strictObject({ version, type: z.literal('cancel'), id }),
]);
export type BridgeMessage = z.infer<typeof Message>;
export type StartMessage = Extract<BridgeMessage, { type: 'start' }>;

/** `undefined`: not a message of this version. */
export function parseMessage(value: unknown): BridgeMessage | undefined {
  return Message.safeParse(value).data;
}
