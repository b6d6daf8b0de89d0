import * as z from 'zod';
import { parseJson } from '../../util/json';

/** The file in which a keeper says how to reach it. Only its user can read it. */
export const keeperFileName = 'keeper.json';

export const keeperFileSchema = z.strictObject({
  pid: z.number().int().positive(),
  port: z.number().int().min(1).max(65_535),
  token: z.string().min(20).max(200),
});

export type KeeperFile = Readonly<z.infer<typeof keeperFileSchema>>;

const statusSchema = z.discriminatedUnion('kind', [
  /** Nothing runs. */
  z.strictObject({ kind: z.literal('idle') }),
  z.strictObject({ kind: z.literal('starting') }),
  z.strictObject({
    kind: z.literal('loading'),
    baseUrl: z.string().max(200),
    key: z.string().max(200),
    /** An estimate. Absent: the system does not tell. */
    percent: z.number().min(0).max(99).optional(),
  }),
  z.strictObject({
    kind: z.literal('ready'),
    baseUrl: z.string().max(200),
    key: z.string().max(200),
    name: z.string().max(200),
    /** The last words of the server before it crashed and was started again. */
    crashed: z.string().max(4_000).optional(),
  }),
  z.strictObject({ kind: z.literal('failed'), message: z.string().max(1_000), lastWords: z.string().max(4_000) }),
  z.strictObject({ kind: z.literal('stopped'), reason: z.enum(['unused', 'asked']) }),
]);

/** The state of the model on this machine. */
export type LocalServerStatus = Readonly<z.infer<typeof statusSchema>>;

const toKeeperSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().max(200) }),
  /** Serves what is chosen in the state file. Does nothing when it runs already. */
  z.strictObject({ type: z.literal('start'), idleMs: z.number().min(0) }),
  /** How long the server may be unused from now on. Starts and stops nothing at once. */
  z.strictObject({ type: z.literal('idle'), idleMs: z.number().min(0) }),
  z.strictObject({ type: z.literal('stop') }),
]);

export type ToKeeper = Readonly<z.infer<typeof toKeeperSchema>>;

/** Longer lines come from no keeper and no window. */
export const MAX_LINE = 16_000;

export function parseToKeeper(line: string): ToKeeper | undefined {
  return toKeeperSchema.safeParse(parseJson(line)).data;
}

export function parseStatus(line: string): LocalServerStatus | undefined {
  return statusSchema.safeParse(parseJson(line)).data;
}
