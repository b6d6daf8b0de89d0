import * as z from 'zod';
import type { AgentErrorCode } from '../errors';
import type { ToolOutcome } from '../events';
import type { StopReason, ToolResultContent } from '../messages';
import { isJsonObject, isTooDeep, type JsonObject, type JsonValue } from '../../util/json';
import { once } from '../../util/lazy';
import { describeIssues } from '../../util/zodIssues';
import { unchangedByParsing } from './unchangedByParsing';
import { ENTRY_VERSION, type EntryEnvelope, type SessionEntry } from './entries';

const envelope = once(() => ({
  v: z.int().min(1),
  id: z.string().min(1),
  parentId: z.string().nullable(),
  seq: z.int().min(0),
  ts: z.number(),
}));

/** The schemas of `EntryBody`, which says what each field means. Made on first use: making schemas takes time. */
export const entryBodies = once(() => {
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
    z.object({
      type: z.literal('tool_use'),
      id: z.string(),
      name: z.string(),
      input: JsonObjectSchema,
      written: z.string().optional(),
    }),
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

  const FileStateSchema = z.object({ hash: z.string(), size: z.number(), isExecutable: z.boolean() }).nullable();

  const Images = z
    .array(
      z.object({
        hash: z.string().regex(/^[0-9a-f]{64}$/),
        mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
        size: z.int().min(0),
        width: z.int().min(1),
        height: z.int().min(1),
        name: z.string().optional(),
      }),
    )
    .readonly()
    .optional();
  const withImages = {
    images: Images,
    order: z
      .array(z.union([z.string(), z.int()]))
      .readonly()
      .optional(),
  };

  const madeOf = {
    profile: z.string().optional(),
    agent: z.string().optional(),
    leavesOut: z.array(z.string()).readonly().optional(),
  };

  return [
    z.object({
      type: z.literal('system_message'),
      systemPrompt: z.string(),
      workspace: z.string().nullable(),
      model: z.string(),
      baseUrl: z.string(),
      ...madeOf,
      origin: z.string().optional(),
      forkedFrom: z.object({ sessionId: z.string(), entryId: z.string().nullable() }).optional(),
    }),
    z.object({
      type: z.literal('user_message'),
      text: z.string(),
      contextLabels: z.array(z.string()).readonly(),
      content: z.string(),
      origin: z.enum(['prompt', 'steer', 'continue', 'hook']),
      mode: z.string().optional(),
      ...withImages,
    }),
    z.object({
      type: z.literal('waiting_prompt'),
      promptId: z.string().min(1),
      prompt: z
        .object({
          text: z.string(),
          contextLabels: z.array(z.string()).readonly(),
          content: z.string(),
          mode: z.string().optional(),
          ...withImages,
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
      isBridge: z.boolean().optional(),
    }),
    z.object({
      type: z.literal('assistant_partial'),
      blocks: z
        .array(z.object({ block: z.int().min(0), type: z.enum(['text', 'thinking']), text: z.string() }))
        .readonly(),
    }),
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
      images: Images,
      isError: z.boolean(),
      outcome: Outcome,
      display: Json.optional(),
      approval: z
        .object({
          outcome: z.enum(['allowed', 'allowed_with_changes', 'denied', 'expired']),
          reason: z.string().optional(),
        })
        .optional(),
    }),
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
    z.object({
      type: z.literal('compaction'),
      summary: z.string(),
      firstKeptId: z.string().nullable(),
      maxResultCharacters: z.int().min(0).optional(),
      dropsImages: z.enum(['earlier', 'all']).optional(),
    }),
    z.object({
      type: z.literal('checkpoint'),
      cause: z.enum(['edit', 'command', 'restore']),
      label: z.string(),
      toolUseId: z.string().optional(),
      changes: z.array(z.object({ path: z.string(), before: FileStateSchema, after: FileStateSchema })).readonly(),
    }),
    z.object({
      type: z.literal('run_summary'),
      promptId: z.string().min(1),
      message: z.string(),
      beforeRound: z.string().min(1).optional(),
    }),
    z.object({ type: z.literal('title'), title: z.string() }),
    z.object({
      type: z.literal('epoch'),
      reason: z.string(),
      systemPrompt: z.string(),
      model: z.string(),
      baseUrl: z.string(),
      ...madeOf,
      omitsHistory: z.boolean().optional(),
    }),
  ] as const;
});

export type ParsedEntry =
  | { readonly ok: true; readonly entry: SessionEntry; readonly problem?: string | undefined }
  | { readonly ok: false; readonly error: string };

/** A line of any type and version. */
type AnyEntry = EntryEnvelope & { readonly type: string } & JsonObject;

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['v', 'id', 'parentId', 'seq', 'ts']);

/** Schemas of whole lines, by type. Merging envelope and body for each line would cost more than parsing it. */
const lines = once(
  () =>
    new Map(
      entryBodies().map((body) => [
        body.shape.type.value as string,
        {
          schema: z.object({ ...envelope(), ...body.shape }) as z.ZodType,
          isUnchanged: unchangedByParsing(body.shape, ENVELOPE_KEYS),
        },
      ]),
    ),
);

/**
 * Reads one parsed line. A line with a valid envelope is always kept, so branches stay connected. If its body is
 * unusable it becomes `unknown`, with a `problem` when something is lost.
 */
export function parseEntry(value: unknown): ParsedEntry {
  if (!isEnvelope(value)) {
    const { error } = z.object({ ...envelope(), type: z.string() }).safeParse(value);
    return { ok: false, error: error ? describeIssues(error) : 'no entry' };
  }
  const { v, type } = value;
  const known = v > ENTRY_VERSION ? undefined : lines().get(type);
  if (known?.isUnchanged(value) === true) return { ok: true, entry: value as unknown as SessionEntry };
  if (isTooDeep(value)) return { ok: false, error: 'its values are nested too deeply' };
  if (v > ENTRY_VERSION) {
    const problem = `written by a newer version (v ${v}, this one reads v ${ENTRY_VERSION})`;
    return { ok: true, entry: unknownEntry(value), problem };
  }
  if (!known) return { ok: true, entry: unknownEntry(value) };
  const line = known.schema.safeParse(value);
  if (line.success) return { ok: true, entry: line.data as SessionEntry };
  return { ok: true, entry: unknownEntry(value), problem: `${type}: ${describeIssues(line.error)}` };
}

function unknownEntry(raw: AnyEntry): SessionEntry {
  const { v, id, parentId, seq, ts } = raw;
  return { v, id, parentId, seq, ts, type: 'unknown', raw };
}

/** The line of an entry, without its line break. Keeps fields that this version does not know. */
export function entryLine(entry: SessionEntry): string {
  if (entry.type !== 'unknown') return JSON.stringify(entry);
  const { id, parentId, seq, raw } = entry;
  return JSON.stringify({ ...raw, id, parentId, seq });
}

/** Checks as the schemas do, four times as fast, but without saying what is wrong. */
function isEnvelope(value: unknown): value is AnyEntry {
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
