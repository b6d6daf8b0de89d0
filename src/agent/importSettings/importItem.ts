import type { LlmProfile } from '../../sdk/configuration/profiles';
import type { AgentDefinition } from '../configuration/agentDefinition';

/** A file of another program, and what is known of its place. */
export interface ImportPlace {
  /** The program, for people: `Continue`. */
  readonly from: string;
  /** Absolute. */
  readonly file: string;
  /** The folder of the workspace that holds the file. Absent: it is the person's own. */
  readonly folder?: string | undefined;
  /** The person's home, for the variable of VS Code. */
  readonly home: string;
}

/** A key in another program's settings. It is copied only if the person says so. */
export interface FoundKey {
  /** What it is, without its value. */
  readonly label: string;
  readonly value: string;
}

/** A field of an MCP server that holds a key. */
export interface ServerKey extends FoundKey {
  readonly field: 'env' | 'headers';
  readonly name: string;
}

/** What an item becomes here. */
export type Becomes =
  | {
      readonly kind: 'profile';
      readonly profile: LlmProfile;
      /** In tokens. */
      readonly contextWindow?: number | undefined;
      readonly key?: FoundKey | undefined;
    }
  | {
      readonly kind: 'mcpServer';
      readonly name: string;
      /** In the form of `openAgent.mcpServers`, without keys. */
      readonly server: Readonly<Record<string, unknown>>;
      readonly keys: readonly ServerKey[];
    }
  | { readonly kind: 'agent'; readonly agent: AgentDefinition }
  /** Goes to the end of the system prompt, in every workspace. */
  | { readonly kind: 'ownRules'; readonly text: string }
  /** Is proposed for the file AGENTS.md of a folder. */
  | { readonly kind: 'projectRules'; readonly folder: string; readonly title: string; readonly text: string };

/** One thing that another program has set. All texts may be an attacker's. */
export interface ImportItem {
  readonly place: ImportPlace;
  readonly what: 'model' | 'mcpServer' | 'mode' | 'rules' | 'file';
  readonly name: string;
  /** Or the reason why it becomes nothing. */
  readonly becomes: Becomes | { readonly kind: 'nothing'; readonly why: string };
  /** What is lost or changed on the way. */
  readonly notes: readonly string[];
}

/** An item that becomes nothing. */
export function refused(place: ImportPlace, what: ImportItem['what'], name: string, why: string): ImportItem {
  return { place, what, name, becomes: { kind: 'nothing', why }, notes: [] };
}
