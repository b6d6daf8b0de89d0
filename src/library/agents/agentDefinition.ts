import * as z from 'zod';
import { agentFields } from '../../sdk/configuration/agentFields';
import { parseNamed } from '../../sdk/configuration/parseNamed';
import type { SamplingOptions } from '../../sdk/configuration/samplingOptions';
import { compileOutputSchema, type OutputSchemaOf } from '../../sdk/schema/structuredOutput';
import { isStandardSchema } from '../../sdk/schema/standardSchema';
import { isJsonObject } from '../../util/json';
import { once } from '../../util/lazy';

/** A named agent: its prompt, model, tools and limits. `Output`: the type of the values of `outputSchema`. */
export interface AgentDefinition<Output = unknown> extends SamplingOptions {
  /** Names the agent in errors. */
  readonly id: string;
  /** What it is good for. Another agent reads it when this one is its tool: see `agentTool`. */
  readonly description?: string | undefined;
  /** The system prompt, instead of the profile's. */
  readonly prompt?: string | undefined;
  /** The id of its profile. Absent: the first profile. */
  readonly profile?: string | undefined;
  /** Instead of the profile's model. */
  readonly model?: string | undefined;
  /** Only these of the given tools. Absent: all. */
  readonly includeTools?: readonly string[] | undefined;
  /** Never these, even if they are included. */
  readonly excludeTools?: readonly string[] | undefined;
  /** The MCP servers whose tools it may use. Absent: all. Other tools always count. */
  readonly allowedServers?: readonly string[] | undefined;
  /** How many responses with tool calls a run may have. */
  readonly maxToolIterations?: number | undefined;
  /** How many prompts one client of the agent takes. */
  readonly maxTurns?: number | undefined;
  /** The schema of its answers. */
  readonly outputSchema?: OutputSchemaOf<Output> | undefined;
}

const definitionSchema = once(() =>
  z.strictObject({
    ...agentFields(),
    outputSchema: z
      .custom<OutputSchemaOf<unknown>>((value) => isStandardSchema(value) || isJsonObject(value), 'expected a schema')
      .optional(),
  }),
);

/**
 * Checks a definition and returns it with the type of its answers. Throws `invalid_options` that names the agent and every
 * wrong field.
 */
export function defineAgent<Output = unknown>(definition: AgentDefinition<Output>): AgentDefinition<Output> {
  return parseAgent(definition) as AgentDefinition<Output>;
}

/** Checks a definition from elsewhere, such as a JSON file, where `outputSchema` is a JSON Schema. Throws as `defineAgent`. */
export function parseAgent(value: unknown): AgentDefinition {
  const definition = parseNamed('Agent', definitionSchema(), value);
  if (definition.outputSchema) compileOutputSchema(definition.outputSchema);
  return definition;
}
