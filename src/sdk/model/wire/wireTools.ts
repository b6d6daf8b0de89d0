import type { ToolDefinition } from '../modelProvider';
import { plainSchema, type ToolSchemaStep } from './plainSchema';
import type { ServerQuirks } from './serverQuirks';

/** The tools without what the server rejects in their schemas. */
export function withPlainSchemas(
  tools: readonly ToolDefinition[],
  { strippedSchemas, strippedTools }: Pick<ServerQuirks, 'strippedSchemas' | 'strippedTools'>,
): readonly ToolDefinition[] {
  return tools.map((tool) => {
    const own = Object.hasOwn(strippedTools, tool.name) ? strippedTools[tool.name] : undefined;
    const step = joined(strippedSchemas === true ? 'all' : strippedSchemas || undefined, own);
    return step === undefined ? tool : { ...tool, inputSchema: plainSchema(tool.inputSchema, step) };
  });
}

function joined(one: ToolSchemaStep | undefined, other: ToolSchemaStep | undefined): ToolSchemaStep | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  return one === 'bare' || other === 'bare' ? 'bare' : 'all';
}
