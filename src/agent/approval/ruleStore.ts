import * as z from 'zod';
import type { RuleEffect, RuleOrigin } from '../../workspace/shell/commandRules';
import { Emitter } from '../../util/emitter';
import {
  insteadOfUnclear,
  parsePermissionRule,
  type PermissionRule,
  type RememberScope,
  type SessionRules,
} from './rules';

/** Rules as texts, by what they do. */
export type RuleTexts = Readonly<Record<RuleEffect, readonly string[]>>;

/** What was allowed in this workspace, in the user's own storage, where no repository can write. */
export interface RuleMemory {
  /** Whatever is there; nothing of it is trusted to have a shape. */
  read(): unknown;
  write(texts: readonly string[]): PromiseLike<void>;
}

export interface RuleStoreParts {
  /** Absent: there is no place to keep rules of a workspace. */
  readonly memory?: RuleMemory | undefined;
  /** Read anew each time. */
  readonly userSettings: () => RuleTexts;
  /** What the workspace's own files say. Absent: they are not asked. */
  readonly workspaceFiles?: (() => RuleTexts) | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/** A rule as one place of all shows it. */
export interface ListedRule {
  readonly text: string;
  readonly effect: RuleEffect;
  readonly origin: RuleOrigin;
  /** The session it holds in. */
  readonly sessionId?: string | undefined;
  /** Why it is not used, for people. */
  readonly problem?: string | undefined;
}

export const noRules: RuleTexts = { allow: [], ask: [], deny: [] };

/** All rules, wherever they come from. What restricts and cannot be understood has everything of its kind ask. */
export class RuleStore {
  readonly #parts: RuleStoreParts;
  readonly #sessions = new Map<string, readonly string[]>();
  readonly #changes: Emitter<void>;

  constructor(parts: RuleStoreParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that something was allowed or taken back here. */
  get onChange(): Emitter<void>['on'] {
    return this.#changes.on;
  }

  /** The rules of one session, for its approval hook. */
  ofSession(sessionId: string): SessionRules {
    return {
      current: () => this.rulesFor(sessionId),
      scopes: this.scopes,
      allow: (texts, scope) => this.allow(texts, scope, sessionId),
    };
  }

  /** What holds in a session now. */
  rulesFor(sessionId: string): readonly PermissionRule[] {
    return this.list().flatMap((listed) => {
      if (listed.sessionId !== undefined && listed.sessionId !== sessionId) return [];
      const parsed = parsePermissionRule(listed.text, listed);
      if (parsed.ok) return [parsed.rule];
      return listed.effect === 'allow' ? [] : [insteadOfUnclear(listed.text, listed.origin).rule];
    });
  }

  /** Every rule there is, of all sessions, those that cannot be used included. */
  list(): readonly ListedRule[] {
    const { userSettings, workspaceFiles } = this.#parts;
    const sessions = [...this.#sessions].flatMap(([sessionId, texts]) =>
      texts.map((text) => ({ text, effect: 'allow', origin: 'session', sessionId }) as const),
    );
    const workspace = this.#workspaceTexts().map((text) => ({ text, effect: 'allow', origin: 'workspace' }) as const);
    const settings = listTexts(userSettings(), 'user');
    const files = listTexts(workspaceFiles?.() ?? noRules, 'workspaceFile');
    return [...sessions, ...workspace, ...settings, ...files].map((rule: ListedRule) => {
      const parsed = parsePermissionRule(rule.text, rule);
      return parsed.ok ? rule : { ...rule, problem: parsed.error };
    });
  }

  /** What is wrong with the rules, for people; what files of the workspace suggest to allow is no problem. */
  get problems(): readonly string[] {
    return this.list().flatMap(({ text, problem, effect, origin }) => {
      if (problem === undefined || (effect === 'allow' && origin === 'workspaceFile')) return [];
      return [effect === 'allow' ? problem : `${problem} Until then ${insteadOfUnclear(text, origin).what} asks.`];
    });
  }

  /** Where what a card allows can be kept. */
  get scopes(): readonly RememberScope[] {
    return this.#parts.memory ? ['session', 'workspace'] : ['session'];
  }

  /** Allows what the texts say, from a card. */
  async allow(texts: readonly string[], scope: RememberScope, sessionId: string): Promise<void> {
    if (scope === 'session') {
      this.#sessions.set(sessionId, [...new Set([...(this.#sessions.get(sessionId) ?? []), ...texts])]);
    } else {
      await this.#parts.memory?.write([...new Set([...this.#workspaceTexts(), ...texts])]);
    }
    this.#changes.emit();
  }

  /** Takes back what was allowed from a card. Rules of settings are changed there. */
  async remove({ text, origin, sessionId }: ListedRule): Promise<void> {
    if (origin === 'session' && sessionId !== undefined) {
      const left = (this.#sessions.get(sessionId) ?? []).filter((kept) => kept !== text);
      this.#sessions.set(sessionId, left);
    } else if (origin === 'workspace') {
      await this.#parts.memory?.write(this.#workspaceTexts().filter((kept) => kept !== text));
    }
    this.#changes.emit();
  }

  #workspaceTexts(): readonly string[] {
    return Texts.parse(this.#parts.memory?.read());
  }
}

/** Settings that anybody may have written by hand. What is no text becomes one that names it and cannot be used. */
export function readRuleTexts(raw: unknown): RuleTexts {
  if (raw === undefined) return noRules;
  const parsed = z.object({ allow: z.unknown(), ask: z.unknown(), deny: z.unknown() }).partial().safeParse(raw);
  if (!parsed.success) return { ...noRules, ask: [unusable(raw)] };
  const { allow, ask, deny } = parsed.data;
  return { allow: textsOf(allow), ask: textsOf(ask), deny: textsOf(deny) };
}

const Texts = z.array(z.string()).catch([]);

function textsOf(raw: unknown): readonly string[] {
  if (raw === undefined || raw === null) return [];
  return (Array.isArray(raw) ? raw : [raw]).map((text: unknown) => (typeof text === 'string' ? text : unusable(text)));
}

/** An operator makes the rule one that cannot be used, so that whatever was meant to be restricted asks. */
function unusable(raw: unknown): string {
  return `; ${JSON.stringify(raw)}`;
}

function listTexts(texts: RuleTexts, origin: RuleOrigin): readonly ListedRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    texts[effect].map((text) => ({ text, effect, origin })),
  );
}
