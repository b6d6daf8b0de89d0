import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';
import type { ToolDefinition } from '../modelProvider';
import { wireImagesOf, wireText } from './wireImages';
import type { WireMessage, WirePart, WireToolCall } from './wireTypes';

/**
 * Describes tools in text, for a server without tools: how to call them, and the signature of each. Equal tools give
 * equal text.
 */
export function describeTools(tools: readonly ToolDefinition[]): string {
  return `${HOW_TO_CALL}\n\n${tools.map(describeTool).join('\n\n')}`;
}

/**
 * Messages for a server or chat template without tools. Calls are in the assistant's text, and all results of one
 * message in a user message. It only grows at its end, as the messages do.
 */
export function withToolsAsText(messages: readonly WireMessage[], tools: readonly ToolDefinition[]): WireMessage[] {
  const wire: WireMessage[] = [];
  const names = new Map<string, string>();
  let results: string[] | undefined;
  let images: readonly WirePart[] = [];
  if (tools.length > 0 && messages[0]?.role !== 'system') wire.push({ role: 'system', content: describeTools(tools) });
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        wire.push(
          tools.length === 0 ? message : { role: 'system', content: `${message.content}\n\n${describeTools(tools)}` },
        );
        break;
      case 'tool': {
        const response = resultText(names.get(message.tool_call_id) ?? '', wireText(message.content));
        if (results) wire.pop();
        else images = [];
        images = [...images, ...wireImagesOf(message.content)];
        results = [...(results ?? []), response];
        const text = results.join('\n');
        wire.push({ role: 'user', content: images.length === 0 ? text : [{ type: 'text', text }, ...images] });
        break;
      }
      case 'user':
        results = undefined;
        wire.push(message);
        break;
      case 'assistant': {
        results = undefined;
        const { content, tool_calls: calls = [] } = message;
        for (const call of calls) names.set(call.id, call.function.name);
        wire.push({
          role: 'assistant',
          content: calls.reduce(withCall, content ?? ''),
        });
        break;
      }
    }
  }
  return wire;
}

const HOW_TO_CALL = [
  '# Tools',
  'You have the tools below. To call one, write exactly this, on lines of its own:',
  '<tool_call>',
  '{"name": "tool_name", "arguments": {"parameter": "value"}}',
  '</tool_call>',
  'Several calls are several such blocks. Write nothing after them and wait: the next message holds the results in ' +
    '<tool_response> tags. Never write a <tool_response> yourself.',
].join('\n');

function describeTool({ name, description, inputSchema }: ToolDefinition): string {
  const lines = parametersOf(inputSchema).map(({ key, schema }) => {
    const said = schema['description'];
    return typeof said === 'string' && said !== '' ? `\n  ${key}: ${said}` : '';
  });
  return `## ${name}(${signatureOf(inputSchema)})\n${description}${lines.join('')}`;
}

interface Parameter {
  readonly key: string;
  readonly schema: JsonObject;
}

function parametersOf(schema: JsonObject): readonly Parameter[] {
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).flatMap(([key, item]) => (isJsonObject(item) ? [{ key, schema: item }] : []));
}

function signatureOf(schema: JsonObject): string {
  const required: JsonValue = schema['required'] ?? [];
  const isRequired = (key: string): boolean => Array.isArray(required) && required.includes(key);
  return parametersOf(schema)
    .map((parameter) => `${parameter.key}${isRequired(parameter.key) ? '' : '?'}: ${typeName(parameter.schema)}`)
    .join(', ');
}

/** A schema as a short type. A more complex one stays as it is. */
function typeName(schema: JsonObject): string {
  const { type, items, enum: values } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return isJsonObject(items) ? `${wrapped(typeName(items))}[]` : 'array';
  if (type === 'object') return isJsonObject(schema['properties']) ? `{${signatureOf(schema)}}` : 'object';
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' | ');
  const { description: _description, ...rest } = schema;
  return Object.keys(rest).length === 0 ? 'any' : JSON.stringify(rest);
}

function wrapped(type: string): string {
  return type.includes(' | ') ? `(${type})` : type;
}

/** The text with a call after it. */
function withCall(text: string, call: WireToolCall): string {
  if (call.written !== undefined) return text + call.written;
  return text === '' ? callText(call) : `${text}\n${callText(call)}`;
}

function callText(call: WireToolCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(call.function.name)}, "arguments": ${call.function.arguments}}\n</tool_call>`;
}

function resultText(name: string, content: string): string {
  return `<tool_response${name === '' ? '' : ` name=${JSON.stringify(name)}`}>\n${content}\n</tool_response>`;
}
