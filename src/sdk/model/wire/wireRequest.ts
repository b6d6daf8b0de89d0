import { isJsonObject, type JsonObject } from '../../../util/json';
import type { ModelRequest, ResponseFormat, Sampling, ToolDefinition } from '../modelProvider';
import { neutraliseControlTokens, neutraliseValue } from './controlTokens';
import { withCallLaws } from './callLaws';
import type { ServerQuirks } from './serverQuirks';
import { withToolsAsText } from './toolsAsText';
import { afterText, withImageLaws } from './wireImages';
import { toWireMessages } from './wireMessages';
import { withPlainSchemas } from './wireTools';
import type { WireMessage, WireRequest, WireTool } from './wireTypes';

export interface WireRequestOptions {
  /** The server reports how much of the prompt it has read when asked. Default: false. */
  readonly reportsProgress?: boolean | undefined;
  /** Asks for the answer in one piece. Default: false. */
  readonly isWhole?: boolean | undefined;
}

/** The body of a request, for a server with these quirks. */
export function toWireRequest(
  request: ModelRequest,
  quirks: ServerQuirks,
  { reportsProgress = false, isWhole = false }: WireRequestOptions = {},
): WireRequest {
  const { model, sampling, systemPrompt, messages } = request;
  const tools = request.tools.filter(({ name }) => !quirks.droppedTools.includes(name));
  const replay = quirks.takesReasoning ? request.replayReasoning : 'never';
  const whole = withImageLaws(toWireMessages(systemPrompt, messages, replay), quirks);
  const isOnlyRead = sampling.maxTokens === 0 && messages.at(-1)?.content === '';
  const wire = isOnlyRead ? withoutQuestion(whole) : whole;
  // Some servers reject a history with calls when the request has no tools.
  const isText =
    quirks.tools === 'text' ||
    request.toolsAsText === true ||
    (tools.length === 0 && wire.some(({ role }) => role === 'tool'));
  const hasTools = tools.length > 0 && !isText;
  const stream = !isWhole && (quirks.streamWithTools || !hasTools);
  return {
    ...sampling.extraBody,
    model,
    stream,
    ...(stream && quirks.streamOptions && { stream_options: { include_usage: true } as const }),
    ...(stream && reportsProgress && quirks.promptProgress && { return_progress: true as const }),
    ...(typeof sampling.temperature === 'number' && { temperature: sampling.temperature }),
    ...(typeof sampling.topP === 'number' && { top_p: sampling.topP }),
    ...extraFields(sampling),
    ...(request.responseFormat &&
      request.tools.length === 0 &&
      quirks.responseFormat && { response_format: toResponseFormat(request.responseFormat) }),
    ...(typeof sampling.maxTokens === 'number' && {
      max_tokens: Math.min(sampling.maxTokens, quirks.maxTokensCap ?? Infinity),
    }),
    ...(hasTools && { tools: toWireTools(withPlainSchemas(tools, quirks)) }),
    ...(hasTools && request.toolChoice && { tool_choice: request.toolChoice }),
    messages: withSystemPrompt(
      isText
        ? withToolsAsText(wire, tools.map(safeTool))
        : withCallContent(withCallLaws(wire.map(withoutWriting), quirks), quirks.callContent),
      quirks.systemPrompt,
    ),
  };
}

/** A request that only fills the server's cache. Its last message stays empty, so any prompt may follow. */
function withoutQuestion(wire: readonly WireMessage[]): readonly WireMessage[] {
  return [...wire.slice(0, -1), { role: 'user', content: '' }];
}

/** The description of a tool may come from any MCP server. */
function safeTool({ name, description, inputSchema }: ToolDefinition): ToolDefinition {
  return {
    name,
    description: neutraliseControlTokens(description),
    inputSchema: neutraliseValue(inputSchema),
  };
}

/** The server writes native calls itself. */
function withoutWriting(message: WireMessage): WireMessage {
  if (message.role !== 'assistant' || !message.tool_calls?.some(({ written }) => written !== undefined)) return message;
  return { ...message, tool_calls: message.tool_calls.map(({ written: _written, ...call }) => call) };
}

function withCallContent(wire: readonly WireMessage[], content: ServerQuirks['callContent']): readonly WireMessage[] {
  if (content === 'string') return wire;
  return wire.map((message) => {
    if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
    return content === 'null' || message.content === '' ? { ...message, content: null } : message;
  });
}

function withSystemPrompt(wire: readonly WireMessage[], place: ServerQuirks['systemPrompt']): readonly WireMessage[] {
  const [system, first, ...rest] = wire;
  if (place === 'system' || system?.role !== 'system' || first?.role !== 'user') return wire;
  return [{ role: 'user', content: afterText(system.content, first.content) }, ...rest];
}

/** Fields that only some servers know. Sent only when set. */
function extraFields({ topK, reasoningEffort, thinking, extraBody }: Sampling): Partial<WireRequest> {
  const given = extraBody?.['chat_template_kwargs'];
  const kwargs = {
    ...(isJsonObject(given) && given),
    ...(typeof thinking === 'boolean' && { enable_thinking: thinking }),
  };
  return {
    ...(typeof topK === 'number' && { top_k: topK }),
    ...(typeof reasoningEffort === 'string' && { reasoning_effort: reasoningEffort }),
    ...(Object.keys(kwargs).length > 0 && { chat_template_kwargs: kwargs }),
  };
}

function toResponseFormat({ name, schema }: ResponseFormat): JsonObject {
  return { type: 'json_schema', json_schema: { name, schema } };
}

export function toWireTools(tools: readonly ToolDefinition[]): WireTool[] {
  return tools.map(safeTool).map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}
