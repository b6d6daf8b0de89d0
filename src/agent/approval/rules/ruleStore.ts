import * as z from 'zod';
import type { RuleEffect, RuleOrigin } from '../../../workspace/shell/commandRules';
import { Emitter } from '../../../util/emitter';
import { once } from '../../../util/lazy';
import {
  insteadOfUnclear,
  parsePermissionRule,
  type AllowedRules,
  type PermissionRule,
  type RememberScope,
  type SessionRules,
} from './permissionRules';

/** Rules as texts, by their effect. */
export type RuleTexts = Readonly<Record<RuleEffect, readonly string[]>>;

/** The rules allowed in this workspace. Kept in the user's storage, which no repository can write. */
export interface RuleMemory {
  /** The stored value, unchecked. */
  read(): unknown;
  write(rules: readonly StoredRule[]): PromiseLike<void>;
}

/**
 * A rule from a card. A rule about a command holds in the folder with this real path; without one, in the workspace
 * folders.
 */
const storedRule = once(() => z.union([z.string(), z.object({ rule: z.string(), folder: z.string() })]));

export type StoredRule = Readonly<z.infer<ReturnType<typeof storedRule>>>;

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
  /** The real path of the folder where a rule from a card holds. */
  readonly folder?: string | undefined;
  /** The session that it is for. */
  readonly sessionId?: string | undefined;
  /** Why it cannot be used, for people. */
  readonly problem?: string | undefined;
}

export const noRules: RuleTexts = { allow: [], ask: [], deny: [] };

/** All rules of all sources. A restricting rule that cannot be parsed makes everything of its kind ask. */
export class RuleStore {
  readonly #parts: RuleStoreParts;
  readonly #sessions = new Map<string, readonly StoredRule[]>();
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
      allow: (allowed, scope) => this.allow(allowed, scope, sessionId),
    };
  }

  /** The rules that apply to a session now. */
  rulesFor(sessionId: string): readonly PermissionRule[] {
    return this.list().flatMap((rule) => {
      if (rule.sessionId !== undefined && rule.sessionId !== sessionId) return [];
      const parsed = parsePermissionRule(rule.text, rule);
      if (parsed.ok) return [parsed.rule];
      return rule.effect === 'allow' ? [] : [insteadOfUnclear(rule.text, rule.origin).rule];
    });
  }

  /** Every rule of all sessions, also those that cannot be used. */
  list(): readonly ListedRule[] {
    const { userSettings, workspaceFiles } = this.#parts;
    const sessions = [...this.#sessions].flatMap(([sessionId, rules]) =>
      rules.map((rule) => ({ ...listed(rule), effect: 'allow', origin: 'session', sessionId }) as const),
    );
    const workspace = this.#workspaceRules().map(
      (rule) => ({ ...listed(rule), effect: 'allow', origin: 'workspace' }) as const,
    );
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
      return [effect === 'allow' ? problem : `${problem} ${insteadOfUnclear(text, origin).note}`];
    });
  }

  /** The scopes in which a card can allow something. */
  get scopes(): readonly RememberScope[] {
    return this.#parts.memory ? ['session', 'workspace'] : ['session'];
  }

  /** Adds allow rules from a card. */
  async allow({ rules, folder }: AllowedRules, scope: RememberScope, sessionId: string): Promise<void> {
    const added = rules.map((rule): StoredRule => (folder === undefined ? rule : { rule, folder }));
    if (scope === 'session') {
      this.#sessions.set(sessionId, union(this.#sessions.get(sessionId) ?? [], added));
    } else {
      await this.#parts.memory?.write(union(this.#workspaceRules(), added));
    }
    this.#changes.emit();
  }

  /** Removes an allow rule that came from a card. Rules of settings are changed in the settings. */
  async remove(rule: ListedRule): Promise<void> {
    const { origin, sessionId } = rule;
    const isLeft = (kept: StoredRule): boolean => !isSame(listed(kept), rule);
    if (origin === 'session' && sessionId !== undefined) {
      this.#sessions.set(sessionId, (this.#sessions.get(sessionId) ?? []).filter(isLeft));
    } else if (origin === 'workspace') {
      await this.#parts.memory?.write(this.#workspaceRules().filter(isLeft));
    }
    this.#changes.emit();
  }

  #workspaceRules(): readonly StoredRule[] {
    const stored = z.array(z.unknown()).catch([]).parse(this.#parts.memory?.read());
    return stored.flatMap((rule) => {
      const parsed = storedRule().safeParse(rule);
      return parsed.success ? [parsed.data] : [];
    });
  }
}

type InFolder = Pick<ListedRule, 'text' | 'folder'>;

function listed(rule: StoredRule): InFolder {
  return typeof rule === 'string' ? { text: rule } : { text: rule.rule, folder: rule.folder };
}

function isSame(rule: InFolder, other: InFolder): boolean {
  return rule.text === other.text && rule.folder === other.folder;
}

function union(kept: readonly StoredRule[], added: readonly StoredRule[]): readonly StoredRule[] {
  const all: StoredRule[] = [];
  for (const rule of [...kept, ...added]) {
    if (!all.some((known) => isSame(listed(known), listed(rule)))) all.push(rule);
  }
  return all;
}

const ruleTexts = once(() => z.object({ allow: z.unknown(), ask: z.unknown(), deny: z.unknown() }).partial());

/** Reads rules from settings. A value that is no text becomes a rule that names it and cannot be used. */
export function readRuleTexts(raw: unknown): RuleTexts {
  if (raw === undefined) return noRules;
  const parsed = ruleTexts().safeParse(raw);
  if (!parsed.success) return { ...noRules, ask: [unusable(raw)] };
  const { allow, ask, deny } = parsed.data;
  return { allow: textsOf(allow), ask: textsOf(ask), deny: textsOf(deny) };
}

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
