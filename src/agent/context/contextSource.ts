import type { PromptContext } from '../prompts/promptContext';
import type { ContextSourceName } from '../view/prompt/contextChip';

export interface SourceReading {
  /** Asks whether something that may hold secrets may go to the model. */
  readonly confirmSecret: (displayPath: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Context besides files: `@selection`, `@changes:main`. */
export interface ContextSource {
  /** `argument`: what the prompt has after the colon. Rejects with a reason for people. */
  readonly read: (argument: string | undefined, reading: SourceReading) => Promise<PromptContext>;
}

/** The sources that are there. The command line has none, so their names are just words. */
export type ContextSources = Readonly<Partial<Record<ContextSourceName, ContextSource>>>;
