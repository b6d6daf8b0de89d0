import { isJsonObject } from '../../util/json';
import type { ImportItem, ImportPlace } from './importItem';
import { mcpItem } from './mcpItem';
import { fieldOf } from './modelItem';
import { readForeignJson } from './readForeign';

/** A file `cline_mcp_settings.json` or `mcp_settings.json`, or `.roo/mcp.json`: `{ "mcpServers": { … } }`. */
export function readMcpSettings(text: string, place: ImportPlace): readonly ImportItem[] {
  // An address without a type is one for the older transport there.
  return servers(fieldOf(readForeignJson(text), 'mcpServers'), place, 'sse');
}

/** The portable form that VS Code's agents read too, `.mcp.json`: `{ "mcpServers": { … } }`. */
export function readPortableMcp(text: string, place: ImportPlace): readonly ImportItem[] {
  return servers(fieldOf(readForeignJson(text), 'mcpServers'), place, 'http');
}

/** VS Code's `mcp.json`: `{ "servers": { … }, "inputs": [ … ] }`. */
export function readVsCodeMcp(text: string, place: ImportPlace): readonly ImportItem[] {
  return servers(fieldOf(readForeignJson(text), 'servers'), place, 'http');
}

function servers(value: unknown, place: ImportPlace, urlMeans: 'http' | 'sse'): readonly ImportItem[] {
  const entries = isJsonObject(value) ? Object.entries(value).slice(0, 200) : [];
  return entries.map(([name, server]) => mcpItem(name, server, place, urlMeans));
}
