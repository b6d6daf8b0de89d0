import type { AgentOptions } from './configuration/agentOptions';
import type { ImagePart } from './messages';
import type { Signal } from './platform';
import type { OutputSchemaOf } from './schema/structuredOutput';

/** The options of one run. */
export interface RunOptions {
  /** Aborting it has the effect of `Client.interrupt`. */
  readonly signal?: Signal | undefined;
}

/** For `Client.compact`. */
export interface CompactOptions extends RunOptions {
  /** What the summary has to keep above all, in the person's words. */
  readonly focus?: string | undefined;
}

/** How many prompts a client has taken, and may take. */
export interface TurnMetadata {
  /** Number of prompts accepted so far. */
  readonly turnCount: number;
  /** Number of prompts accepted at most. Absent: any number. */
  readonly maxTurns?: number | undefined;
}

/** For `Client.addToolResult`. */
export interface ToolResultOptions {
  /** The name of the tool. Default: the name in the call. */
  readonly name?: string | undefined;
  /** The tool failed, and the content says why. Default: `false`. */
  readonly isError?: boolean | undefined;
  /** Images that the model gets with the content. Default: none. */
  readonly images?: readonly ImagePart[] | undefined;
}

/** The options of a client whose answers have the type `Output`: that of the values of `outputSchema`. */
export type ClientOptions<Output> = AgentOptions & { readonly outputSchema?: OutputSchemaOf<Output> | undefined };
