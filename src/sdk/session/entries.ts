import * as z from 'zod';
import type { AgentErrorCode } from '../errors';
import type { ToolOutcome } from '../events';
import type { StopReason, ToolResultContent } from '../messages';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import { describeIssues } from '../../util/zodIssues';

/** The version of the schema below. A reader keeps newer entries and skips them. */
export const ENTRY_VERSION = 1;

/** The `reason` of an epoch that continues from an older entry. */
export const BRANCH = 'branch';

const Json = z.custom<JsonValue>((value) => value !== undefined);
const JsonObjectSchema = z.custom<JsonObject>(isJsonObject);
const ResultContent = z.custom<ToolResultContent>(
  (value) => typeof value === 'string' || Array.isArray(value) || isJsonObject(value),
);

const TextBlock = z.object({ type: z.literal('text'), text: z.string() });
const ThinkingBlock = z.object({ type: z.literal('thinking'), text: z.string() });
const AssistantContent = z.discriminatedUnion('type', [
  TextBlock,
  ThinkingBlock,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: JsonObjectSchema }),
  z.object({
    type: z.literal('tool_use_error'),
    error: z.string(),
    rawData: z.string().optional(),
    toolUseId: z.string().optional(),
    toolName: z.string().optional(),
  }),
]);

const Stop = z.enum([
  'stop',
  'tool_use',
  'length',
  'content_filter',
  'incomplete',
  'interrupted',
]) satisfies z.ZodType<StopReason>;

const Outcome = z.enum(['succeeded', 'failed', 'denied', 'interrupted']) satisfies z.ZodType<ToolOutcome>;

/** The content of a file; `null`: no file. `hash` is SHA-256 in hex, `size` in bytes. */
const FileStateSchema = z.object({ hash: z.string(), size: z.number(), isExecutable: z.boolean() }).nullable();

const envelope = {
  v: z.int().min(1),
  id: z.string().min(1),
  /** The previous entry; `null` for the first. Entries with the same parent are branches. */
  parentId: z.string().nullable(),
  /** Number of the line in its file, ascending. */
  seq: z.int().min(0),
  ts: z.number(),
};

/** The fields of every line, whatever its version and type. `ts` is milliseconds since the epoch. */
const Envelope = z.object({ ...envelope, type: z.string() });

/** Ids of the profile and agent behind the requests. Absent: the settings alone. */
const madeOf = { profile: z.string().optional(), agent: z.string().optional() };

const bodies = [
  /** The first entry: the first target of requests. Its texts are empty when no client could be made. */
  z.object({
    type: z.literal('system_message'),
    systemPrompt: z.string(),
    /** URI of the folder or workspace file; `null` when none was open. */
    workspace: z.string().nullable(),
    model: z.string(),
    baseUrl: z.string(),
    ...madeOf,
    /** Who began the session, unless a person did: `endpoint` for a program. */
    origin: z.string().optional(),
    /** The session that this one was copied from, up to and including that entry. `null`: before its first. */
    forkedFrom: z.object({ sessionId: z.string(), entryId: z.string().nullable() }).optional(),
  }),
  z.object({
    type: z.literal('user_message'),
    /** The text that the person typed. */
    text: z.string(),
    /** Labels of the attached context, for people. */
    contextLabels: z.array(z.string()).readonly(),
    /** The exact text that the model got. */
    content: z.string(),
    /** `continue`: the client wrote it to go on after an answer that was cut. */
    origin: z.enum(['prompt', 'steer', 'continue']),
    /** The permission mode that `content` names, if it does. */
    mode: z.string().optional(),
  }),
  /**
   * A prompt that was sent during a run, on file until the model gets it: then a `user_message` has the id `promptId`.
   * `prompt: null`: it was refused and waits no more.
   */
  z.object({
    type: z.literal('waiting_prompt'),
    promptId: z.string().min(1),
    prompt: z
      .object({
        text: z.string(),
        contextLabels: z.array(z.string()).readonly(),
        content: z.string(),
        mode: z.string().optional(),
      })
      .nullable(),
  }),
  z.object({
    type: z.literal('assistant_message'),
    content: z.array(AssistantContent).readonly(),
    stopReason: Stop.optional(),
    responseId: z.string(),
    model: z.string(),
    usage: z
      .object({
        promptTokens: z.number(),
        completionTokens: z.number(),
        cachedTokens: z.number().optional(),
        readPerSecond: z.number().optional(),
        writtenPerSecond: z.number().optional(),
      })
      .optional(),
    /** The client wrote it to keep the roles alternating. Not shown. */
    isBridge: z.boolean().optional(),
  }),
  /** The part of an unfinished answer since the last such entry. Pieces with the same `block` belong together. */
  z.object({
    type: z.literal('assistant_partial'),
    blocks: z
      .array(z.object({ block: z.int().min(0), type: z.enum(['text', 'thinking']), text: z.string() }))
      .readonly(),
  }),
  /** The intent, on disk before the tool runs. */
  z.object({
    type: z.literal('tool_call'),
    toolUseId: z.string(),
    toolName: z.string(),
    input: JsonObjectSchema,
  }),
  z.object({
    type: z.literal('tool_result'),
    toolUseId: z.string(),
    toolName: z.string().optional(),
    content: ResultContent,
    isError: z.boolean(),
    outcome: Outcome,
    display: Json.optional(),
    /** The person's decision, for screens only. It never allows anything. */
    approval: z
      .object({
        outcome: z.enum(['allowed', 'allowed_with_changes', 'denied', 'expired']),
        reason: z.string().optional(),
      })
      .optional(),
  }),
  /**
   * `IDLE`: the run paused at its limit and waits for the person. `RUNNING` without a later status: the run never
   * ended.
   */
  z.object({
    type: z.literal('status_update'),
    status: z.enum(['RUNNING', 'IDLE', 'FINISHED', 'ERROR', 'CANCELED']),
  }),
  z.object({
    type: z.literal('error'),
    // A code of a later version must not make the line unreadable.
    code: z.string() as z.ZodType<AgentErrorCode>,
    message: z.string(),
    status: z.number().optional(),
  }),
  /** `summary` replaces everything before `firstKeptId` in the history: see `applyCompaction`. */
  z.object({
    type: z.literal('compaction'),
    summary: z.string(),
    firstKeptId: z.string().nullable(),
    /** Longer tool results were cut to this many characters. */
    maxResultCharacters: z.int().min(0).optional(),
  }),
  /**
   * Changes of files, written before they happen where they are known by then. Contents are kept elsewhere, by hash.
   */
  z.object({
    type: z.literal('checkpoint'),
    cause: z.enum(['edit', 'command', 'restore']),
    /** For people: the file or the command. */
    label: z.string(),
    toolUseId: z.string().optional(),
    changes: z.array(z.object({ path: z.string(), before: FileStateSchema, after: FileStateSchema })).readonly(),
  }),
  z.object({ type: z.literal('title'), title: z.string() }),
  /** Later requests start differently. */
  z.object({
    type: z.literal('epoch'),
    reason: z.string(),
    systemPrompt: z.string(),
    model: z.string(),
    baseUrl: z.string(),
    ...madeOf,
    /** Later requests omit the earlier history. */
    omitsHistory: z.boolean().optional(),
  }),
] as const;

type Envelope = z.infer<typeof Envelope>;
type KnownBody = z.infer<(typeof bodies)[number]>;

/** A well-formed line of a type or version that this reader does not know. It is kept and skipped. */
interface UnknownBody {
  readonly type: 'unknown';
  readonly raw: JsonObject;
}

type WithEnvelope<B> = B extends unknown ? Readonly<Omit<Envelope, 'type'>> & Readonly<B> : never;

/** The part of an entry that its writer gives. The log adds the rest. */
export type EntryBody = KnownBody;
/** One line of a session file, as read. */
export type SessionEntry = WithEnvelope<KnownBody | UnknownBody>;
export type EntryOf<T extends SessionEntry['type']> = Extract<SessionEntry, { type: T }>;

export type ParsedEntry =
  | { readonly ok: true; readonly entry: SessionEntry; readonly problem?: string | undefined }
  | { readonly ok: false; readonly error: string };

/** Schemas of whole lines, by type. Merging envelope and body for each line would cost more than parsing it. */
const lines = new Map<string, z.ZodType>(
  bodies.map((body) => [body.shape.type.value, z.object({ ...envelope, ...body.shape })]),
);

/**
 * Reads one parsed line. A line with a valid envelope is always kept, so branches stay connected. If its body is
 * unusable it becomes `unknown`, with a `problem` when something is lost.
 */
export function parseEntry(value: unknown): ParsedEntry {
  if (!isEnvelope(value)) {
    const envelope = Envelope.safeParse(value);
    return { ok: false, error: envelope.error ? describeIssues(envelope.error) : 'no entry' };
  }
  const { v, type } = value;
  if (v > ENTRY_VERSION) {
    const problem = `written by a newer version (v ${v}, this one reads v ${ENTRY_VERSION})`;
    return { ok: true, entry: unknownEntry(value), problem };
  }
  const schema = lines.get(type);
  if (!schema) return { ok: true, entry: unknownEntry(value) };
  const line = schema.safeParse(value);
  if (line.success) return { ok: true, entry: line.data as SessionEntry };
  return { ok: true, entry: unknownEntry(value), problem: `${type}: ${describeIssues(line.error)}` };
}

function unknownEntry(raw: Envelope & JsonObject): SessionEntry {
  const { v, id, parentId, seq, ts } = raw;
  return { v, id, parentId, seq, ts, type: 'unknown', raw };
}

/** The line of an entry, without its line break. Keeps fields that this version does not know. */
export function entryLine(entry: SessionEntry): string {
  if (entry.type !== 'unknown') return JSON.stringify(entry);
  const { id, parentId, seq, raw } = entry;
  return JSON.stringify({ ...raw, id, parentId, seq });
}

/** Checks as the `Envelope` schema does, four times as fast, but without saying what is wrong. */
function isEnvelope(value: unknown): value is Envelope & JsonObject {
  if (!isJsonObject(value)) return false;
  const { v, id, parentId, seq, ts, type } = value;
  return (
    Number.isSafeInteger(v) &&
    Number(v) >= 1 &&
    typeof id === 'string' &&
    id !== '' &&
    (parentId === null || typeof parentId === 'string') &&
    Number.isSafeInteger(seq) &&
    Number(seq) >= 0 &&
    Number.isFinite(ts) &&
    typeof type === 'string'
  );
}
