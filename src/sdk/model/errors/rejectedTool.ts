import type { JsonObject } from '../../../util/json';
import type { ToolDefinition } from '../modelProvider';
import { oddestTool } from '../wire/plainSchema';

/** `undefined`: the server's answer says nothing about the schemas. */
export type TriesTools = (tools: readonly ToolDefinition[]) => Promise<'taken' | 'rejected' | undefined>;

/**
 * Finds one tool whose schema a server rejects, when it rejected all of them together and named none: tries half of them,
 * then half of the half with the tool. Names the tool with the most unusual schema when none is rejected alone, as where
 * all together are too much. `undefined`: the schemas are not the cause.
 */
export async function findRejectedTool(
  tools: readonly ToolDefinition[],
  tryTools: TriesTools,
): Promise<string | undefined> {
  // A server that rejects even this one would reject every tool.
  if ((await tryTools([PLAIN])) !== 'taken') return undefined;
  let suspects = tools;
  let isRejected = false;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    const outcome = await tryTools(half);
    if (outcome === undefined) return undefined;
    isRejected = outcome === 'rejected';
    suspects = isRejected ? half : suspects.slice(half.length);
  }
  if (!isRejected) isRejected = (await tryTools(suspects)) === 'rejected';
  return isRejected ? suspects[0]?.name : oddestTool(tools);
}

const PLAIN: ToolDefinition = {
  name: 'plain',
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } } satisfies JsonObject,
};
