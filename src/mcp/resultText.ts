import { withoutEnding } from '../util/text/withoutEnding';
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';

/** The most characters of one result, so that it fits a context window of 8k tokens. */
const MAX_CHARACTERS = 24_000;

/** A result as text, since models read nothing else. Names other content with its size. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(partText).filter((text) => text !== '');
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  return shorten(parts.join('\n\n') || 'The tool returned nothing.', MAX_CHARACTERS);
}

/** A server's prompt as text. Marks parts in the assistant's name. */
export function promptText({ messages }: GetPromptResult): string {
  const parts = messages.map(({ role, content }) => `${role === 'assistant' ? 'Assistant: ' : ''}${partText(content)}`);
  return shorten(parts.join('\n\n'), MAX_CHARACTERS);
}

/** A resource as text. Names other content with its size. */
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

/** The size of base64 data, for people. */
function sizeOf(data: string): string {
  return `${Math.floor((withoutEnding(data, '=').length * 3) / 4)} bytes`;
}

function oneLine(text: string): string {
  return shorten(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 300);
}

/** The start of the text, and how many characters are missing. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}… [${text.length - maxCharacters} more characters]`;
}
