import * as z from 'zod';
import { CompactionOptions } from '../context/contextBudget';
import { AgentError } from '../errors';
import type { Hooks, PreToolUseHook } from '../hooks';
import type { Message } from '../messages';
import { expandProviderName, normalizeBaseUrl, originOf } from '../model/http/baseUrl';
import type { ModelProvider } from '../model/modelProvider';
import { isJsonObject } from '../../util/json';
import { samplingFields } from './sampling';
import type { OutputSchema } from '../schema/structuredOutput';
import { isStandardSchema } from '../schema/standardSchema';
import type { Tool } from '../tool';
import { describeIssues } from '../../util/zodIssues';

const hookList = <Hook>() => z.array(z.custom<Hook>(isFunction, 'expected a function')).readonly().optional();

const HooksSchema = z.strictObject({
  PreToolUse: hookList<NonNullable<Hooks['PreToolUse']>[number]>(),
  PostToolUse: hookList<NonNullable<Hooks['PostToolUse']>[number]>(),
  UserPromptSubmit: hookList<NonNullable<Hooks['UserPromptSubmit']>[number]>(),
});

const count = z.int().min(1);

const AgentOptionsSchema = z.strictObject({
  /** Default: none. */
  systemPrompt: z.string().default(''),
  model: z.string().min(1, 'expected the name of a model'),
  /** URL of the server: `http://localhost:8080`, with or without `/v1`. Or a short name: see `providerUrls`. */
  baseUrl: z.string().min(1, 'expected a URL').transform(expandProviderName),
  apiKey: z.string().optional(),
  /** The key of `resolveConfiguration`. Only sent to the origin of its URL, and only without `apiKey`. */
  key: z.strictObject({ baseUrl: z.string(), value: z.string() }).readonly().optional(),
  /** The warning of `resolveConfiguration`, for the caller to show. Without effect here. */
  warning: z.string().optional(),
  /** A private certificate authority for https, besides the usual ones: PEM text, or the path of a PEM file. */
  ca: z.string().optional(),
  /** Sent with every request, in this order. */
  tools: z.array(z.custom<Tool>(isTool, 'expected a tool made by tool()')).readonly().default([]),
  /**
   * Names of the tools that the model may use. Absent: all of `tools`. Others are not sent, and their calls are
   * refused.
   */
  allowedTools: z.array(z.string()).readonly().optional(),
  /** Names of tools that the model may not use, even when allowed. */
  disallowedTools: z.array(z.string()).readonly().optional(),
  /** Executes the tools until the final answer. Otherwise the caller executes them: see `Client.addToolResult`. */
  autoExecuteTools: z.boolean().default(false),
  /** How many responses with tool calls a run may have before it ends with the outcome `limit`. */
  maxToolIterations: count.default(5),
  /**
   * How often the model may make the same call and get the same result before the run ends with `loop_detected`. The model
   * is told from the third time on. `null`: no limit and no hint, for tools that poll.
   */
  maxRepeatedCalls: z.int().min(2).nullable().default(5),
  /** `required`: the first response to a prompt must call a tool, where the server can enforce that. */
  toolChoice: z.enum(['auto', 'required']).default('auto'),
  /** How many prompts the client accepts. */
  maxTurns: count.optional(),
  // Only sent when set.
  ...z.object(samplingFields).partial().shape,
  /** `null`: not sent, the server decides. */
  maxTokens: samplingFields.maxTokens.default(4096),
  /** `null`: not sent, the server decides. */
  temperature: samplingFields.temperature.default(0.7),
  /** How long the server may be silent before the request fails. `null`: no limit. */
  timeoutMs: z.number().positive().nullable().default(60_000),
  /** How often a request that failed before its first byte is repeated: no connection, 408, 409, 429, 5xx. */
  maxRetries: z.int().min(0).default(2),
  hooks: HooksSchema.default({}),
  /** Always the last PreToolUse hook. */
  approvalHook: z.custom<PreToolUseHook>(isFunction, 'expected a function').optional(),
  /** The schema of the final answer: see `OutputSchema`. The model corrects answers that do not match. */
  outputSchema: z.custom<OutputSchema>(isOutputSchema, 'expected a zod type or a JSON Schema').optional(),
  /** How many final answers that do not match `outputSchema` are sent back. */
  maxOutputCorrections: z.int().min(0).default(2),
  /** Messages to continue from. */
  history: z.array(z.custom<Message>(isMessage, 'expected a message')).readonly().default([]),
  /** Keeps the conversation within the context window: see `CompactionOptions`. Absent: nothing is left out. */
  compaction: CompactionOptions.optional(),
  /** Which of its own thinking the model gets again: see `ReplayReasoning`. */
  replayReasoning: z.enum(['auto', 'always', 'never']).default('auto'),
  /** Replaces the OpenAI-compatible provider for `baseUrl`. Used unchanged: see `withRetry` for retries. */
  provider: z.custom<ModelProvider>(isProvider, 'expected an object with a stream method').optional(),
  /** Repairs arguments that are complete but not quite JSON. */
  allowLenientToolJson: z.boolean().default(true),
});

/** The options of a client. Only `model` and `baseUrl` are required. */
export type AgentOptions = z.input<typeof AgentOptionsSchema>;

/** Options with every default filled in. */
export type ResolvedOptions = z.output<typeof AgentOptionsSchema>;

/** Checks options and fills in the defaults. Throws an `AgentError` `invalid_options` that names every wrong field. */
export function parseAgentOptions(options: unknown): ResolvedOptions {
  const parsed = AgentOptionsSchema.safeParse(options);
  if (!parsed.success) {
    const message = `Agent options: ${describeIssues(parsed.error)}.`;
    throw new AgentError({ code: 'invalid_options', message }, { cause: parsed.error });
  }
  const { baseUrl, apiKey, key, ca } = parsed.data;
  normalizeBaseUrl(baseUrl);
  const own = key && originOf(key.baseUrl) === originOf(baseUrl) ? key.value : undefined;
  const usedKey = apiKey ?? own;
  return { ...parsed.data, ...(usedKey !== undefined && { apiKey: usedKey }), ...(ca === '' && { ca: undefined }) };
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isOutputSchema(value: unknown): boolean {
  return isStandardSchema(value) || isJsonObject(value);
}

function isTool(value: unknown): boolean {
  return hasMethod(value, 'execute') && hasMethod(value, 'run') && 'inputSchema' in (value as object);
}

function isProvider(value: unknown): boolean {
  return hasMethod(value, 'stream');
}

/** Checks the shape of the history only. Blocks must be kept as they were given out. */
function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { role, content } = value;
  switch (role) {
    case 'user':
      return typeof content === 'string';
    case 'assistant':
      return (
        Array.isArray(content) && content.every((block) => isJsonObject(block) && typeof block['type'] === 'string')
      );
    case 'tool':
      return isJsonObject(content) && typeof content['toolUseId'] === 'string' && content['content'] !== undefined;
    default:
      return false;
  }
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function';
}
