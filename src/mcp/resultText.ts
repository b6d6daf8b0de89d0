import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';

/** What a model gets of one result; a window of 8k tokens must hold it. */
const MAX_CHARACTERS = 24_000;

/** A result as text: a model reads nothing else. What is not text is named with its size. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(partText).filter((text) => text !== '');
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return shorten(parts.join('\n\n') || 'The tool returned nothing.', MAX_CHARACTERS);
}

/** A prompt that a server made, as a person would write it. A part in the assistant's name is marked. */
export function promptText({ messages }: GetPromptResult): string {
  const parts = messages.map(({ role, content }) => `${role === 'assistant' ? 'Assistant: ' : ''}${partText(content)}`);
  return shorten(parts.join('\n\n'), MAX_CHARACTERS);
}

/** What a resource holds. What is not text is named with its size. */
export function resourceText({ contents }: ReadResourceResult): string {
  const parts = contents.map((content) =>
    'text' in content ? content.text : partText({ type: 'resource', resource: content }),
  );
  return shorten(parts.join('\n\n') || 'The resource is empty.', MAX_CHARACTERS);
}

function partText(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type} of type ${oneLine(part.mimeType)}, ${sizeOf(part.data)}: not shown]`;
    case 'resource_link':
      return `[resource ${oneLine(part.uri)}${part.mimeType === undefined ? '' : `, ${oneLine(part.mimeType)}`}: ${oneLine(part.title ?? part.name)}]`;
    case 'resource': {
      const { resource } = part;
      if ('text' in resource) return `[resource ${oneLine(resource.uri)}]\n${resource.text}`;
      return `[resource ${oneLine(resource.uri)}${resource.mimeType === undefined ? '' : ` of type ${oneLine(resource.mimeType)}`}, ${sizeOf(resource.blob)}: not shown]`;
    }
    default:
      return '[content of an unknown type: not shown]';
  }
}

/** Of base64. */
function sizeOf(data: string): string {
  return `${Math.floor((data.replace(/=+$/, '').length * 3) / 4)} bytes`;
}

function oneLine(text: string): string {
  return shorten(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 300);
}

/** The start of the text, and how much is missing. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}… [${text.length - maxCharacters} more characters]`;
}
