import { tool, type Tool, type ToolContext, type ToolOutput } from '../sdk/tool';
import { isJsonObject, type JsonObject } from '../util/json';
import { visibleText } from '../util/text/visibleText';
import type { McpPlan } from './mcpPlan';
import { shorten } from './resultText';
import type { McpToolInfo } from './serverLists';
import { hasHiddenCharacters, visibleSchema } from './visibleSchema';

const MAX_DESCRIPTION_CHARACTERS = 2_000;
const MAX_SCHEMA_CHARACTERS = 20_000;

export interface McpTool extends Tool {
  /** The server's name. */
  readonly server: string;
}

export type CallMcp = (plan: McpPlan, context: ToolContext) => Promise<ToolOutput>;

/**
 * Makes an agent tool of a server's tool; `undefined` when its schema is no object schema, too large for any context
 * window, or has names with hidden characters.
 */
export function createMcpTool(
  name: string,
  server: string,
  { name: toolName, description, inputSchema: written, isReadOnly }: McpToolInfo,
  call: CallMcp,
): McpTool | undefined {
  const { $schema: _dialect, ...schema } = visibleSchema(written);
  if (schema['type'] !== 'object' || JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) return undefined;
  if (hasHiddenCharacters(schema)) return undefined;
  const inputSchema: JsonObject = isJsonObject(schema['properties']) ? schema : { ...schema, properties: {} };
  const required = Array.isArray(inputSchema['required'])
    ? inputSchema['required'].filter((field) => typeof field === 'string')
    : [];
  const made = tool(
    name,
    shorten(visibleText(description, 'prose'), MAX_DESCRIPTION_CHARACTERS),
    { type: 'object', properties: {} },
    {
      prepare: (input) => ({
        ok: true,
        plan: { kind: 'mcp', server, tool: toolName, arguments: input, isReadOnly } satisfies McpPlan,
      }),
      run: (plan, context) => call(plan, context),
    },
  );
  return {
    ...made,
    server,
    inputSchema,
    // The server checks the rest: a pattern in a foreign schema could block the process.
    validate: (input) => {
      const missing = required.filter((field) => input[field] === undefined);
      if (missing.length === 0) return { ok: true, input };
      return { ok: false, error: `Invalid arguments for ${name}: ${missing.join(', ')} missing.` };
    },
  };
}
