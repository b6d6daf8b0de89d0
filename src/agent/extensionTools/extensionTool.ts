import { shorten } from '../../mcp/resultText';
import { visibleSchema } from '../../mcp/visibleSchema';
import { raceAbort } from '../../sdk/abort';
import { tool, type Tool, type ToolContext, type ToolOutput } from '../../sdk/tool';
import type { Validation } from '../../sdk/schema/toolSchema';
import { isJsonObject, isTooDeep, MAX_VALUE_LEVELS, type JsonObject } from '../../util/json';
import { visibleText } from '../../util/text/visibleText';
import { providerName, type ExtensionPlan } from './extensionPlan';
import { messageOf } from '../../util/errors';

/** A tool of another extension, among the agent's own. */
export interface ExtensionTool extends Tool {
  /** Its provider, as agent definitions name it in `allowedServers`: the extension's id, or `vscode`. */
  readonly server: string;
}

export interface ExtensionToolParts {
  /** The model's name for it. */
  readonly name: string;
  readonly extension: string | null;
  /** The provider's name for it. */
  readonly toolName: string;
  readonly description: string;
  /** A schema of the type `object`. */
  readonly inputSchema: JsonObject;
  /** Checks the arguments before anybody is asked. Absent: the tool checks them itself. */
  readonly validate?: ((input: JsonObject) => unknown) | undefined;
  /** Runs the tool with a copy of the approved arguments. May throw, hang or return anything. */
  readonly call: (input: JsonObject, context: ToolContext) => unknown;
  /** Aborted when the tool is withdrawn. */
  readonly ended: AbortSignal;
  /** A signal that aborts after this time. Absent: by the clock. */
  readonly abortAfter?: ((ms: number) => AbortSignal) | undefined;
}

const MAX_DESCRIPTION_CHARACTERS = 2_000;
/** The limit of one result; it must fit into a window of 8k tokens. */
const MAX_RESULT_CHARACTERS = 24_000;
const MAX_ERROR_CHARACTERS = 2_000;
/** The same as for tools of MCP servers. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * A tool with another extension's code. Before a person agrees, only its check of the arguments runs. An exception, a
 * timeout and any returned value become a bounded result.
 */
export function createExtensionTool(parts: ExtensionToolParts): ExtensionTool {
  const { name, extension, toolName, inputSchema } = parts;
  const made = tool(
    name,
    shorten(visibleText(parts.description, 'prose'), MAX_DESCRIPTION_CHARACTERS),
    { type: 'object', properties: {} },
    {
      prepare: (input) => ({
        ok: true,
        plan: { kind: 'extension', extension, tool: toolName, arguments: input } satisfies ExtensionPlan,
      }),
      run: (plan, context) => run(parts, plan, context),
    },
  );
  return {
    ...made,
    server: extension ?? 'vscode',
    inputSchema: visibleSchema(inputSchema),
    validate: (input) => checkArguments(parts, input),
  };
}

function checkArguments({ name, validate }: ExtensionToolParts, input: JsonObject): Validation {
  if (!validate) return { ok: true, input };
  const checked = validate(structuredClone(input));
  if (!isJsonObject(checked)) throw new Error('its arguments could not be checked');
  if (checked['ok'] === true && isJsonObject(checked['input'])) {
    return { ok: true, input: asJson(checked['input']) as JsonObject };
  }
  const { error } = checked;
  const why = typeof error === 'string' ? shorten(error, MAX_ERROR_CHARACTERS) : `Invalid arguments for ${name}.`;
  return { ok: false, error: why };
}

const abortAfterMs = (ms: number): AbortSignal => AbortSignal.timeout(ms);

async function run(parts: ExtensionToolParts, plan: ExtensionPlan, context: ToolContext): Promise<ToolOutput> {
  const { toolName, extension, call, ended, abortAfter = abortAfterMs } = parts;
  const named = `The tool ${toolName} of ${providerName(extension)}`;
  if (ended.aborted) return failure(`${named} is not there any more. Nothing was done.`);
  const late = abortAfter(TIMEOUT_MS);
  const signal = AbortSignal.any([context.signal, ended, late]);
  const progress = (output: string): void => context.progress(shorten(String(output), MAX_RESULT_CHARACTERS));
  try {
    const work = Promise.resolve(call(structuredClone(plan.arguments), { ...context, signal, progress }));
    const raced = await raceAbort(work, signal);
    if (!raced.isAborted) return readOutput(raced.value);
  } catch (error) {
    if (!signal.aborted) return failure(shorten(messageOf(error), MAX_ERROR_CHARACTERS) || `${named} failed.`);
  }
  const why = context.signal.aborted
    ? 'The call was stopped.'
    : ended.aborted
      ? `${named} was removed while it ran.`
      : `${named} did not answer within ${TIMEOUT_MS / 60_000} minutes.`;
  return failure(`${why} The call may have had effects.`);
}

/** Leaves out `display`: only our own tools may show more than the result. */
function readOutput(value: unknown): ToolOutput {
  if (typeof value === 'string') return { content: shorten(value, MAX_RESULT_CHARACTERS) };
  if (!isJsonObject(value)) return failure("The tool's result is not valid.");
  const { content } = value;
  const isError = value['isError'] === true;
  if (typeof content === 'string') return { content: shorten(content, MAX_RESULT_CHARACTERS), isError };
  if (typeof content !== 'object' || content === null) return failure("The tool's result is not valid.");
  const json = JSON.stringify(content);
  const isWhole = json.length <= MAX_RESULT_CHARACTERS && !isTooDeep(content, MAX_VALUE_LEVELS);
  return { content: isWhole ? (asJson(content) as JsonObject) : shorten(json, MAX_RESULT_CHARACTERS), isError };
}

/** A copy as plain data, which the extension cannot change later. */
function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

function failure(content: string): ToolOutput {
  return { content, isError: true };
}
