import type { Prompt, Resource, ResourceTemplate, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../util/json';

/** What a server says about one of its tools; every word of it is the server's. */
export interface McpToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** It says that the tool changes nothing and reaches nothing but what the server itself holds. */
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

/** Something that a server lets one read. */
export interface McpResourceInfo {
  /** Without blanks. Of a template, with names in braces to be filled in. */
  readonly uri: string;
  readonly description: string;
}

const MAX_ITEMS = 200;
const MAX_PAGES = 20;

/** All pages of a list, up to 200 items. A server that repeats a page for ever is left after 20. */
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
