import {
  isSchemaRejection,
  learnRejectedTool,
  learnStrippedTool,
  type LearnedQuirk,
  type Rejection,
} from './learnQuirk';
import { serverMessage } from './httpErrors';
import type { ToolDefinition } from '../modelProvider';
import { findRejectedTool, type TriesTools } from './rejectedTool';
import { isUnusual, namedTool, rejectsForm, toolStepsAfter, type ToolSchemaStep } from '../wire/plainSchema';
import { withPlainSchemas } from '../wire/wireTools';
import type { ServerQuirks } from '../wire/serverQuirks';

export interface SchemaSearch {
  readonly rejection: Rejection;
  /** All tools of the request, as they were declared. */
  readonly tools: readonly ToolDefinition[];
  readonly quirks: ServerQuirks;
  /** Sends a small request with these tools. */
  readonly tryTools: TriesTools;
}

/**
 * Learns which tool has the schema that a server rejects, and what to leave out of it: the tool that the server names, the only
 * unusual one, or else one that is found by halves. Leaves out a little first, then more, and drops the tool when nothing helps.
 * `undefined`: the tool is not found, or so many tools were that all schemas should be plain.
 */
export async function learnSchema(search: SchemaSearch): Promise<LearnedQuirk | undefined> {
  const { rejection, quirks, tryTools } = search;
  const said = serverMessage(rejection.body);
  if (quirks.tools === 'text' || !isSchemaRejection(said)) return undefined;
  const declared = search.tools.filter(({ name }) => !quirks.droppedTools.includes(name));
  const sent = withPlainSchemas(declared, quirks);
  const suspects = sent.filter(({ inputSchema }) => isUnusual(inputSchema));
  if (suspects.length === 0) return undefined;
  const named = namedTool(sent, said) ?? namedTool(declared, said);
  const known = named ?? (suspects.length === 1 ? suspects[0]?.name : undefined);
  const guilty = known ?? (await findRejectedTool(suspects, tryTools));
  const tool = declared.find(({ name }) => name === guilty);
  if (!tool) return undefined;
  const before = quirks.strippedTools[tool.name];
  if (before === undefined && Object.keys(quirks.strippedTools).length >= MAX_TOOLS) return undefined;
  const steps = toolStepsAfter(tool.inputSchema, before, rejectsForm(said) ? 'forms' : 'limits');
  const step = known === undefined ? await firstTaken(tool, steps, search) : steps[0];
  return step === undefined
    ? learnRejectedTool(tool.name, rejection, quirks)
    : learnStrippedTool(tool.name, step, rejection, quirks);
}

/** How many tools are treated one by one. With more, all tools are sent without the same things. */
const MAX_TOOLS = 3;

/** The first step with which the server takes the tool alone. The first of all, where the trials say nothing. */
async function firstTaken(
  tool: ToolDefinition,
  steps: readonly ToolSchemaStep[],
  { quirks, tryTools }: SchemaSearch,
): Promise<ToolSchemaStep | undefined> {
  for (const step of steps) {
    const strippedTools = { ...quirks.strippedTools, [tool.name]: step };
    const outcome = await tryTools(withPlainSchemas([tool], { ...quirks, strippedTools }));
    if (outcome === 'taken') return step;
    if (outcome === undefined) return steps[0];
  }
  return undefined;
}
