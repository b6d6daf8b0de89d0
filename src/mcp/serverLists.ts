import type { Prompt, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../util/json';

/** A server's description of one of its tools. All texts are the server's. */
export interface McpToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The server claims that the tool changes nothing and only reaches the server's own data. Not verified. */
  readonly isReadOnly: boolean;
}

/** A text that a server makes on request, for a person to send. */
export interface McpPromptInfo {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly McpPromptArgument[];
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/** A resource that a server offers to read. */
export interface McpResourceInfo {
  /** Without spaces. A template has names in braces. */
  readonly uri: string;
  readonly description: string;
}

const MAX_ITEMS = 200;
const MAX_PAGES = 20;

/** Reads all pages of a list, up to 200 items. Stops after 20 pages, since a server may repeat a page forever. */
export async function readPages<T>(
  read: (params: { cursor?: string }) => Promise<{ readonly items: readonly T[]; readonly next: string | undefined }>,
): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < MAX_ITEMS; page++) {
    const { items, next } = await read(cursor === undefined ? {} : { cursor });
    found.push(...items);
    cursor = next;
    if (cursor === undefined) break;
  }
  return found.slice(0, MAX_ITEMS);
}

export function toolInfo({ name, description, title, inputSchema, annotations }: Tool): McpToolInfo {
  const { readOnlyHint, openWorldHint } = annotations ?? {};
  return {
    name,
    description: description ?? title ?? '',
    inputSchema: inputSchema as unknown as JsonObject,
    isReadOnly: readOnlyHint === true && openWorldHint === false,
  };
}

export function promptInfo({ name, title, description, arguments: wanted = [] }: Prompt): McpPromptInfo {
  return {
    name,
    description: description ?? title ?? '',
    arguments: wanted.map((argument) => ({
      name: argument.name,
      description: argument.description ?? '',
      isRequired: argument.required === true,
    })),
  };
}

export function resourceInfos(
  resources: readonly Resource[],
  templates: readonly ResourceTemplate[],
): readonly McpResourceInfo[] {
  const all = [...resources, ...templates.map(({ uriTemplate, ...rest }) => ({ ...rest, uri: uriTemplate }))];
  return all
    .filter(({ uri }) => /^\S+$/.test(uri))
    .map(({ uri, name, title, description }) => ({ uri, description: description ?? title ?? name }));
}
