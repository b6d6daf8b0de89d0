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

/** Rules as texts, by their effect. */
export type RuleTexts = Readonly<Record<RuleEffect, readonly string[]>>;

/** The rules allowed in this workspace. Kept in the user's storage, which no repository can write. */
export interface RuleMemory {
  /** The stored value, unchecked. */
  read(): unknown;
  write(texts: readonly string[]): PromiseLike<void>;
}

export interface RuleStoreParts {
  /** Absent: rules of a workspace cannot be kept. */
  readonly memory?: RuleMemory | undefined;
  /** Read anew each time. */
  readonly userSettings: () => RuleTexts;
  /** Rules in the workspace's own files. Absent: they are not read. */
  readonly workspaceFiles?: (() => RuleTexts) | undefined;
  readonly onInternalError: (error: unknown) => void;
}

/** A rule as the list of rules shows it. */
export interface ListedRule {
  readonly text: string;
  readonly effect: RuleEffect;
  readonly origin: RuleOrigin;
  /** The session that it is for. */
  readonly sessionId?: string | undefined;
  /** Why it cannot be used, for people. */
  readonly problem?: string | undefined;
}

export const noRules: RuleTexts = { allow: [], ask: [], deny: [] };

/** All rules of all sources. A restricting rule that cannot be parsed makes everything of its kind ask. */
export class RuleStore {
  readonly #parts: RuleStoreParts;
  readonly #sessions = new Map<string, readonly string[]>();
  readonly #changes: Emitter<void>;

  constructor(parts: RuleStoreParts) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.onInternalError);
  }

  /** Tells that a rule was added or removed here. */
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

  /** The rules that apply to a session now. */
  rulesFor(sessionId: string): readonly PermissionRule[] {
    return this.list().flatMap((listed) => {
      if (listed.sessionId !== undefined && listed.sessionId !== sessionId) return [];
      const parsed = parsePermissionRule(listed.text, listed);
      if (parsed.ok) return [parsed.rule];
      return listed.effect === 'allow' ? [] : [insteadOfUnclear(listed.text, listed.origin).rule];
    });
  }

  /** Every rule of all sessions, also those that cannot be used. */
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

  /** Problems of the rules, for people. An allow rule in a workspace file is ignored and no problem. */
  get problems(): readonly string[] {
    return this.list().flatMap(({ text, problem, effect, origin }) => {
      if (problem === undefined || (effect === 'allow' && origin === 'workspaceFile')) return [];
      return [effect === 'allow' ? problem : `${problem} Until then ${insteadOfUnclear(text, origin).what} asks.`];
    });
  }

  /** The scopes in which a card can allow something. */
  get scopes(): readonly RememberScope[] {
    return this.#parts.memory ? ['session', 'workspace'] : ['session'];
  }

  /** Adds allow rules from a card. */
  async allow(texts: readonly string[], scope: RememberScope, sessionId: string): Promise<void> {
    if (scope === 'session') {
      this.#sessions.set(sessionId, [...new Set([...(this.#sessions.get(sessionId) ?? []), ...texts])]);
    } else {
      await this.#parts.memory?.write([...new Set([...this.#workspaceTexts(), ...texts])]);
    }
    this.#changes.emit();
  }

  /** Removes an allow rule that came from a card. Rules of settings are changed in the settings. */
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

/** Reads rules from settings. A value that is no text becomes a rule that names it and cannot be used. */
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

/** The operator makes the rule unusable, so that everything it could have restricted asks. */
function unusable(raw: unknown): string {
  return `; ${JSON.stringify(raw)}`;
}

function listTexts(texts: RuleTexts, origin: RuleOrigin): readonly ListedRule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
    texts[effect].map((text) => ({ text, effect, origin })),
  );
}
