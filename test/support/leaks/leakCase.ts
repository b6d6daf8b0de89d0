import type { TerminalRuns } from '../../../src/agent/prompts/terminal';
import type { AgentSession } from '../../../src/agent/session/agentSession';
import type { PermissionMode } from '../../../src/agent/view/permissionModes';
import type { SessionRegistry } from '../../../src/agent/session/sessionRegistry';
import type { McpServerConfig } from '../../../src/mcp/serverConfig';
import type { JsonObject } from '../../../src/util/json';
import type { LeakWorld } from './world';
import type { Turn } from '../servers/modelServer';

export type WayIn = 'headless' | 'confined' | 'terminal' | 'endpoint' | 'window' | 'mounted' | 'library' | 'exam';

export interface LeakCall {
  readonly name: string;
  /** A text is sent as it is, valid JSON or not. */
  readonly arguments: JsonObject | string;
}

/** One attempt: a prompt, and a model that calls tools. */
export interface LeakCase {
  readonly way: WayIn;
  readonly mode: PermissionMode;
  /** What the model calls, all in one response. */
  readonly calls: readonly LeakCall[];
  /** The model's responses instead of `calls`, before its last words. */
  readonly turns?: readonly Turn[] | undefined;
  readonly prompt?: string | undefined;
  /** The opened folders, by path in the world. Default: `ws`. The window only. */
  readonly folders?: readonly string[] | undefined;
  /** What `@terminal` gives. The window only. */
  readonly terminal?: TerminalRuns | undefined;
  /** The person's rules that allow commands. */
  readonly allow?: readonly string[] | undefined;
  /** Whether the person allows a call. Default: nobody allows anything. The window only. */
  readonly allows?: ((question: Question, rules: PersonsRules) => boolean | Promise<boolean>) | undefined;
  /** MCP servers that the person configured and allowed. The window only. */
  readonly mcpServers?: ((world: LeakWorld) => readonly McpServerConfig[]) | undefined;
  /** What the person does after the answer. The window only. */
  readonly afterwards?: ((window: LeakWindow) => Promise<void>) | undefined;
  /** The search of the window uses VS Code's ripgrep, if it is installed. */
  readonly usesRipgrep?: boolean | undefined;
  /**
   * Folders and files that others are mounted at, by path in the world: `{ 'ws/sub': 'outside' }`. The way `mounted`
   * only.
   */
  readonly mounts?: Readonly<Record<string, string>> | undefined;
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

/** The person's rules in the settings. They can be changed at any time. */
export interface PersonsRules {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

/** What a person can do in the window after an answer. */
export interface LeakWindow {
  readonly world: LeakWorld;
  readonly session: AgentSession;
  readonly registry: SessionRegistry;
  /**
   * Goes back to before the first prompt, with all files that are offered. `beforeYes` happens while the question is open.
   * Gives the display paths that were offered, and the warnings.
   */
  goBack(session: AgentSession, beforeYes?: () => Promise<void>): Promise<readonly string[]>;
  /** The names that the panel suggests after `@`. */
  suggest(typed: string): Promise<readonly string[]>;
  /** Sends a prompt in the session and waits for the answer. */
  submit(session: AgentSession, text: string): Promise<void>;
  /** Adds a line to the log, in which marks are searched for. */
  note(line: string): void;
}
