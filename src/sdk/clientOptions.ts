import type { AgentOptions } from './configuration/agentOptions';
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
  readonly maxTurns?: number | undefined;
}

/** The options of a client whose answers have the type `Output`: that of the values of `outputSchema`. */
export type ClientOptions<Output> = AgentOptions & { readonly outputSchema?: OutputSchemaOf<Output> | undefined };
