import type { JsonObject } from '../../../src/util/json';
import type { LeakWorld } from './world';
import type { Turn } from '../servers/modelServer';

export type WayIn = 'headless' | 'confined' | 'terminal' | 'endpoint' | 'window';

export interface LeakCall {
  readonly name: string;
  /** A text is sent as it is, valid JSON or not. */
  readonly arguments: JsonObject | string;
}

/** One attempt: a prompt, and a model that calls tools. */
export interface LeakCase {
  readonly way: WayIn;
  readonly mode: 'plan' | 'ask' | 'acceptEdits';
  /** What the model calls, all in one response. */
  readonly calls: readonly LeakCall[];
  /** The model's responses instead of `calls`, before its last words. */
  readonly turns?: readonly Turn[] | undefined;
  readonly prompt?: string | undefined;
  /** The person's rules that allow commands. */
  readonly allow?: readonly string[] | undefined;
  /** Whether the person allows a call. Default: nobody allows anything. The window only. */
  readonly allows?: ((question: Question) => boolean) | undefined;
  /** The search of the window uses VS Code's ripgrep, if it is installed. */
  readonly usesRipgrep?: boolean | undefined;
  /** Changes the world before the agent starts. */
  readonly arrange?: ((world: LeakWorld) => Promise<void>) | undefined;
}

/** What a person was asked. */
export interface Question {
  readonly tool: string;
  /** The command, or the path. */
  readonly about: string;
  readonly reason: string;
}

/** Everything that left the agent in one attempt. */
export interface Observation {
  /** Each request to the model server, as it was sent. */
  readonly sent: readonly string[];
  /** The texts of "always" offers. */
  readonly offers: readonly string[];
  /** What is logged or printed where no person was asked, and what a program got. */
  readonly log: string;
  readonly questions: readonly Question[];
}
