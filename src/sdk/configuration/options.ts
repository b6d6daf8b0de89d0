import { checkUserContent } from '../images/imagePart';
import * as z from 'zod';
import { compactionSchema } from '../context/compactionSchema';
import { AgentError } from '../errors';
import type { Hooks, PreToolUseHook } from '../hooks';
import type { Message } from '../messages';
import { expandProviderName, normalizeBaseUrl, originOf } from '../model/http/baseUrl';
import type { ModelProvider } from '../model/modelProvider';
import { isJsonObject } from '../../util/json';
import { once } from '../../util/lazy';
import { optionalSampling, samplingFields } from './sampling';
import type { OutputSchema } from '../schema/structuredOutput';
import { isStandardSchema } from '../schema/standardSchema';
import type { Tool } from '../tool';
import { describeIssues } from '../../util/zodIssues';

const hookList = <Hook>() => z.array(z.custom<Hook>(isFunction, 'expected a function')).readonly().optional();

const hooksSchema = () =>
  z.strictObject({
    PreToolUse: hookList<NonNullable<Hooks['PreToolUse']>[number]>(),
    PostToolUse: hookList<NonNullable<Hooks['PostToolUse']>[number]>(),
    UserPromptSubmit: hookList<NonNullable<Hooks['UserPromptSubmit']>[number]>(),
    Stop: hookList<NonNullable<Hooks['Stop']>[number]>(),
  });

/** The schema of `AgentOptions`, which says what each field means. Made on first use: making schemas takes time. */
export const agentOptionsSchema = once(() => {
  const count = z.int().min(1);
  const sampling = samplingFields();
  return z.strictObject({
    systemPrompt: z.string().default(''),
    model: z.string().min(1, 'expected the name of a model'),
    baseUrl: z.string().min(1, 'expected a URL').transform(expandProviderName),
    apiKey: z.string().optional(),
    key: z.strictObject({ baseUrl: z.string(), value: z.string() }).readonly().optional(),
    warning: z.string().optional(),
    sessionId: z.string().optional(),
    ca: z.string().optional(),
    tools: z.array(z.custom<Tool>(isTool, 'expected a tool made by tool()')).readonly().default([]),
    allowedTools: z.array(z.string()).readonly().optional(),
    disallowedTools: z.array(z.string()).readonly().optional(),
    autoExecuteTools: z.boolean().default(false),
    maxToolIterations: count.default(5),
    maxRepeatedCalls: z.int().min(2).nullable().default(5),
    toolChoice: z.enum(['auto', 'required']).default('auto'),
    maxTurns: count.optional(),
    // Only sent when set.
    ...optionalSampling(),
    maxTokens: sampling.maxTokens.default(4096),
    temperature: sampling.temperature.default(0.7),
    timeoutMs: z.number().positive().nullable().default(60_000),
    maxRetries: z.int().min(0).default(2),
    hooks: hooksSchema().default({}),
    approvalHook: z.custom<PreToolUseHook>(isFunction, 'expected a function').optional(),
    outputSchema: z.custom<OutputSchema>(isOutputSchema, 'expected a zod type or a JSON Schema').optional(),
    maxOutputCorrections: z.int().min(0).default(2),
    history: z.array(z.custom<Message>(isMessage, 'expected a message')).readonly().default([]),
    compaction: compactionSchema().optional(),
    replayReasoning: z.enum(['auto', 'always', 'never']).default('auto'),
    provider: z.custom<ModelProvider>(isProvider, 'expected an object with a stream method').optional(),
    allowLenientToolJson: z.boolean().default(true),
  });
});

/** Options with every default filled in. */
export type ResolvedOptions = z.output<ReturnType<typeof agentOptionsSchema>>;

/** Zod makes a function of a schema before it parses, which takes longer than parsing options. */
const parsedOnce = { jitless: true };

/** Checks options and fills in the defaults. Throws an `AgentError` `invalid_options` that names every wrong field. */
export function parseAgentOptions(options: unknown): ResolvedOptions {
  const parsed = agentOptionsSchema().safeParse(options, parsedOnce);
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
      return typeof content === 'string' || isUserContent(content);
    case 'assistant':
      return (
        Array.isArray(content) && content.every((block) => isJsonObject(block) && typeof block['type'] === 'string')
      );
    case 'tool':
      return (
        isJsonObject(content) &&
        typeof content['toolUseId'] === 'string' &&
        content['content'] !== undefined &&
        (content['images'] === undefined || (Array.isArray(content['images']) && isUserContent(content['images'])))
      );
    default:
      return false;
  }
}

function isUserContent(content: unknown): boolean {
  try {
    checkUserContent(content);
    return true;
  } catch {
    // The message that is wrong is named by its index.
    return false;
  }
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function';
}
