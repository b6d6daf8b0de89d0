import { isJsonObject, type JsonObject } from '../../util/json';
import { messageOf } from '../../util/errors';
import { AgentError } from '../errors';
import { checkUserContent } from '../images/imagePart';
import type { AssistantMessage, Message, UserContent, UserPart } from '../messages';
import { parseStrictArguments } from '../model/calls/strictArguments';
import { tool, type Tool, type ToolContext } from '../tool';

/** A conversation out of messages of chat completions. */
export interface ImportedConversation {
  /** The texts of all system and developer messages, with an empty line between them. Empty: there was none. */
  readonly systemPrompt: string;
  /** For `AgentOptions.history`. */
  readonly history: readonly Message[];
}

/**
 * The history of messages of chat completions: texts, parts of text, images of users as data URLs, thinking
 * (`reasoning_content` or `reasoning`), tool calls and their results. A call whose arguments are no JSON object becomes a
 * `ToolUseError`. Throws `invalid_options` that names the message for anything else, for example an image to be fetched.
 */
export function fromOpenAIMessages(messages: readonly object[]): ImportedConversation {
  const instructions: string[] = [];
  const history: Message[] = [];
  const toolNames = new Map<string, string>();
  for (const [index, message] of messages.entries()) {
    const refuse = (problem: string): AgentError => refused(`messages[${index}] ${problem}`);
    if (!isJsonObject(message)) throw refuse('is no object');
    const { role, content } = message;
    switch (role) {
      case 'system':
      case 'developer':
        instructions.push(textOf(content, refuse));
        break;
      case 'user':
        history.push({ role, content: userContent(content, refuse) });
        break;
      case 'assistant': {
        const answer = assistantMessage(message, refuse);
        for (const block of answer.content) if (block.type === 'tool_use') toolNames.set(block.id, block.name);
        history.push(answer);
        break;
      }
      case 'tool': {
        const { tool_call_id: toolUseId } = message;
        if (typeof toolUseId !== 'string') throw refuse('has no tool_call_id');
        const toolName = toolNames.get(toolUseId);
        const named = toolName !== undefined && { toolName };
        history.push({
          role,
          content: { type: 'tool_result', toolUseId, ...named, content: textOf(content, refuse), isError: false },
        });
        break;
      }
      default:
        throw refuse(`has the role ${JSON.stringify(role)}, which is unknown here`);
    }
  }
  return { systemPrompt: instructions.join('\n\n'), history };
}

/**
 * Tools out of tools of chat completions. `execute` runs all of them; what it returns or throws is the result, as with
 * `tool`. Throws `invalid_options` that names the tool for anything but a function with a JSON Schema.
 */
export function fromOpenAITools(
  tools: readonly object[],
  execute: (name: string, input: JsonObject, context: ToolContext) => unknown,
): Tool[] {
  return tools.map((definition, index) => {
    const described = isJsonObject(definition) ? definition['function'] : undefined;
    if (!isJsonObject(described)) throw refused(`tools[${index}] is no function`);
    const { name, description = '', parameters = { type: 'object', properties: {} } } = described;
    if (typeof name !== 'string' || typeof description !== 'string' || !isJsonObject(parameters)) {
      throw refused(`tools[${index}] needs a name, a text as its description, and an object as its parameters`);
    }
    return tool(name, description, parameters, (input, context) => execute(name, input, context));
  });
}

type Refuse = (problem: string) => AgentError;

function assistantMessage(message: JsonObject, refuse: Refuse): AssistantMessage {
  const { content, tool_calls: calls = [] } = message;
  const thinking = message['reasoning_content'] ?? message['reasoning'];
  const text = content === null || content === undefined ? '' : textOf(content, refuse);
  if (calls !== null && !Array.isArray(calls)) throw refuse('has tool_calls that are no list');
  return {
    role: 'assistant',
    content: [
      ...(typeof thinking === 'string' && thinking !== '' ? [{ type: 'thinking' as const, text: thinking }] : []),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(calls ?? []).map((call: unknown) => callBlock(call, refuse)),
    ],
  };
}

function callBlock(call: unknown, refuse: Refuse): AssistantMessage['content'][number] {
  const { id, function: called }: JsonObject = isJsonObject(call) ? call : {};
  const { name, arguments: given = '' }: JsonObject = isJsonObject(called) ? called : {};
  if (typeof id !== 'string' || typeof name !== 'string' || typeof given !== 'string') {
    throw refuse('has a tool call without an id, a name and arguments as text');
  }
  const parsed = parseStrictArguments(given.trim() === '' ? '{}' : given);
  return parsed.ok
    ? { type: 'tool_use', id, name, input: parsed.input }
    : { type: 'tool_use_error', error: parsed.error, rawData: given, toolUseId: id, toolName: name };
}

/** A text, or parts. Parts without an image are one text. */
function userContent(content: unknown, refuse: Refuse): UserContent {
  if (!Array.isArray(content) || !content.some(isImage)) return textOf(content, refuse);
  const parts = content.map((part: unknown): UserPart => {
    if (!isImage(part)) return { type: 'text', text: textOf([part], refuse) };
    const given = part['image_url'];
    const url = isJsonObject(given) ? given['url'] : given;
    return { type: 'image', image: typeof url === 'string' ? url : '' };
  });
  try {
    return checkUserContent(parts);
  } catch (error) {
    throw refuse(`has an image that cannot be used. ${messageOf(error).replace(/\.$/, '')}`);
  }
}

function isImage(part: unknown): part is JsonObject {
  return isJsonObject(part) && part['type'] === 'image_url';
}

/** A text, or a list of parts that are texts. */
function textOf(content: unknown, refuse: Refuse): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw refuse('has no text as its content');
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { type, text }: JsonObject = isJsonObject(part) ? part : {};
      if (type === 'text' && typeof text === 'string') return text;
      throw refuse(`has a part of type ${JSON.stringify(type)}, which has no text`);
    })
    .join('');
}

function refused(problem: string): AgentError {
  return new AgentError({ code: 'invalid_options', message: `${problem}.` });
}
