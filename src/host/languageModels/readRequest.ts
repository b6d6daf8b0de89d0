import * as vscode from 'vscode';
import { checkImage, checkUserContent, joinContents } from '../../sdk/images/imagePart';
import type { AssistantMessage, ImagePart, Message, UserContent, UserPart } from '../../sdk/messages';
import type { ToolDefinition } from '../../sdk/model/modelProvider';
import { readImageHeader } from '../../util/images/imageHeader';
import { isJsonObject, type JsonObject } from '../../util/json';
import { partText } from '../vscodeTools/partText';
import type { ForeignRequest } from './localModels';

/** Some callers send this role; VS Code's stable API does not name it. */
const SYSTEM_ROLE = 3;

/** Reads a request of another extension. Unknown parts become text. */
export function readRequest(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode, modelOptions }: vscode.ProvideLanguageModelChatResponseOptions,
): ForeignRequest {
  return {
    ...readMessages(messages),
    tools: tools.map(readTool),
    requiresTool: toolMode === vscode.LanguageModelChatToolMode.Required,
    options: modelOptions,
  };
}

/** The text of a message as a model would read it. */
export function messageText({ content }: Pick<vscode.LanguageModelChatRequestMessage, 'content'>): string {
  return content
    .map((part) => {
      if (part instanceof vscode.LanguageModelToolCallPart) return `${part.name} ${JSON.stringify(part.input)}`;
      if (part instanceof vscode.LanguageModelToolResultPart) return part.content.map(partText).join('\n');
      return partText(part);
    })
    .join('\n');
}

function readTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): ToolDefinition {
  const schema = asJson(inputSchema ?? {});
  return { name, description, inputSchema: { type: 'object', properties: {}, ...schema } };
}

function readMessages(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
): Pick<ForeignRequest, 'systemPrompt' | 'messages'> {
  const system: string[] = [];
  const read: Message[] = [];
  /** By call id. */
  const toolNames = new Map<string, string>();
  for (const { role, content } of messages) {
    if ((role as number) === SYSTEM_ROLE) system.push(textOf(content));
    else if (role === vscode.LanguageModelChatMessageRole.Assistant) {
      const message = readAssistant(content);
      for (const block of message.content) if (block.type === 'tool_use') toolNames.set(block.id, block.name);
      if (message.content.length > 0) read.push(message);
    } else {
      read.push(...content.filter(isResult).map((part) => readResult(part, toolNames)));
      addUser(read, userContent(content));
    }
  }
  return { systemPrompt: system.join('\n\n'), messages: read };
}

/** Images that models can take are sent, between the texts where they stand. All other data becomes text. */
function userContent(content: readonly unknown[]): UserContent {
  if (!content.some(isImage)) return textOf(content);
  const parts: UserPart[] = [];
  for (const part of content.filter((each) => !isResult(each))) {
    const before = parts.at(-1);
    const text = isImage(part) ? '' : partText(part);
    if (isImage(part)) parts.push(imageOf(part));
    else if (before?.type === 'text') parts[parts.length - 1] = { type: 'text', text: `${before.text}\n${text}` };
    else if (text !== '') parts.push({ type: 'text', text });
  }
  return checkUserContent(parts);
}

function isImage(part: unknown): part is vscode.LanguageModelDataPart {
  return (
    part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/') && readImageHeader(part.data).ok
  );
}

function imageOf({ data }: vscode.LanguageModelDataPart): ImagePart {
  return checkImage({ type: 'image', image: data });
}

/** Joins neighbouring messages of the user: chat templates need the roles to alternate. */
function addUser(read: Message[], content: UserContent): void {
  if (content === '') return;
  const before = read.at(-1);
  if (before?.role === 'user') read[read.length - 1] = { role: 'user', content: joinContents(before.content, content) };
  else read.push({ role: 'user', content });
}

function readAssistant(content: readonly unknown[]): AssistantMessage {
  const blocks = content.flatMap((part): AssistantMessage['content'] => {
    if (part instanceof vscode.LanguageModelToolCallPart) {
      return [{ type: 'tool_use', id: part.callId, name: part.name, input: asJson(part.input) }];
    }
    return part instanceof vscode.LanguageModelTextPart ? [{ type: 'text', text: part.value }] : [];
  });
  return { role: 'assistant', content: blocks };
}

function readResult(part: vscode.LanguageModelToolResultPart, toolNames: ReadonlyMap<string, string>): Message {
  const toolName = toolNames.get(part.callId);
  const images = part.content.filter(isImage).map(imageOf);
  const others = part.content.filter((each) => !isImage(each));
  return {
    role: 'tool',
    content: {
      type: 'tool_result',
      toolUseId: part.callId,
      ...(toolName !== undefined && { toolName }),
      content: others.map(partText).filter(Boolean).join('\n'),
      ...(images.length > 0 && { images }),
      isError: false,
    },
  };
}

function isResult(part: unknown): part is vscode.LanguageModelToolResultPart {
  return part instanceof vscode.LanguageModelToolResultPart;
}

function textOf(content: readonly unknown[]): string {
  return content
    .filter((part) => !isResult(part))
    .map(partText)
    .filter(Boolean)
    .join('\n');
}

function asJson(value: object): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : {};
}
