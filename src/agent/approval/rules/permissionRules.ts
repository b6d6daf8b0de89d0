import * as l10n from '../../../util/l10n';
import { once } from '../../../util/lazy';
import { isServerName } from '../../../mcp/serverName';
import { findExamples } from '../../../workspace/search/globExamples';
import { findGlobProblem, matchesGlob } from '../../../workspace/search/globs';
import type { GuardedPath } from '../../../workspace/plans';
import { workspaceToolNames } from '../../../workspace/tools/workspaceToolNames';
import {
  describeOrigin,
  formatRule,
  parseRule,
  type CommandRule,
  type RuleEffect,
  type RuleOrigin,
} from '../../../workspace/shell/commandRules';

/**
 * A person's rule. Three forms of text: `edit:GLOB` is about edits of files, `tool:NAME` about every call of a tool
 * (`tool:START*`: of all tools whose names begin so), any other text about commands; see `parseRule`. Plain data.
 */
export type PermissionRule =
  | ({ readonly kind: 'command' } & CommandRule)
  | {
      readonly kind: 'edit';
      readonly effect: RuleEffect;
      readonly origin: RuleOrigin;
      /** Matches display paths, as patterns in `.gitignore` do. */
      readonly glob: string;
    }
  | {
      readonly kind: 'tool';
      /**
       * Only tools of MCP servers and other extensions can be allowed as a whole. The agent's own are decided call by
       * call.
       */
      readonly effect: RuleEffect;
      readonly origin: RuleOrigin;
      /** `*` at the end: every tool whose name begins so. */
      readonly toolName: string;
    };

export type ParsedPermissionRule =
  { readonly ok: true; readonly rule: PermissionRule } | { readonly ok: false; readonly error: string };

/** How long a rule from a card holds: for this session, until the window closes, or for this workspace. */
export type RememberScope = 'session' | 'workspace';

/** The rules of one session. */
export interface SessionRules {
  /** Read anew for every call. */
  readonly current: () => readonly PermissionRule[];
  readonly scopes: readonly RememberScope[];
  readonly allow: (allowed: AllowedRules, scope: RememberScope) => Promise<void>;
}

/** Rules from a card, as texts. */
export interface AllowedRules {
  readonly rules: readonly string[];
  /** Rules about commands: the real path of the folder where they hold. */
  readonly folder?: string | undefined;
}

/** Tools of one MCP server, and single tools of other extensions and of VS Code. */
const MAY_BE_ALLOWED = /^(?:mcp__[A-Za-z0-9](?:_?[A-Za-z0-9-])*__|(?:ext|vscode)__[\w-]+$)/;

/**
 * Parses a rule. The error names the rule and says what to write instead. `folder`: the real path of the folder where a
 * rule about a command holds; see `CommandRule`.
 */
export function parsePermissionRule(
  text: string,
  {
    effect,
    origin,
    folder,
  }: { readonly effect: RuleEffect; readonly origin: RuleOrigin; readonly folder?: string | undefined },
): ParsedPermissionRule {
  const refuse = (why: string): ParsedPermissionRule => ({
    ok: false,
    error: l10n.t('The rule {0} {1}', JSON.stringify(text), why),
  });
  const [, kind, about = ''] = /^\s*(edit|tool):(.*)$/s.exec(text) ?? [];
  if (kind !== undefined && effect === 'allow' && origin === 'workspaceFile') {
    return refuse(l10n.t('is ignored: a file of the workspace cannot allow anything. Put it into your user settings.'));
  }
  switch (kind) {
    case 'edit': {
      const glob = about.trim();
      // A leading ! would negate the pattern, and # would make it a comment.
      if (!/^[^!#\p{Cc}][^\p{Cc}]*$/u.test(glob)) {
        return refuse(l10n.t('names no files. Write a pattern after edit:, such as "edit:docs/**".'));
      }
      const problem = findGlobProblem(glob);
      if (problem !== undefined) return refuse(l10n.t('cannot be used. {0}', problem));
      if (separatingBackslash().test(glob)) {
        return refuse(l10n.t('has a backslash. Separate folders with /, such as "edit:docs/**".'));
      }
      if (/\/\/|(?:^|[/{,])\.{1,2}(?:$|[/},])/.test(glob) || !canMatchFiles(glob, effect)) {
        return refuse(
          l10n.t(
            'matches no file: paths have no empty part, "." or "..", and brackets need an end. Write it as the panel names files, such as "edit:docs/**".',
          ),
        );
      }
      return { ok: true, rule: { kind: 'edit', effect, origin, glob } };
    }
    case 'tool': {
      const toolName = about.trim();
      if (!/^(?:[\w-]+|[\w-]*\*)$/.test(toolName)) {
        return refuse(
          l10n.t('names no tool. Write its name, such as "tool:run_terminal_command" or "tool:mcp__server__*".'),
        );
      }
      if (toolName.startsWith(MCP_PREFIX) && isServerName(toolName.slice(MCP_PREFIX.length))) {
        return refuse(
          l10n.t('names a server, but no tool of it. Write "{0}" for all its tools.', `tool:${toolName}__*`),
        );
      }
      if (!canBeTool(toolName)) {
        return refuse(
          l10n.t(
            'names no tool there is. The tools are: {0}, mcp__server__tool, ext__name and vscode__name.',
            workspaceToolNames.join(', '),
          ),
        );
      }
      if (effect === 'allow' && !MAY_BE_ALLOWED.test(toolName)) {
        return refuse(
          l10n.t(
            'would allow all that a tool can do. Allow single commands, files with "edit:…", or tools of an MCP server with "tool:mcp__server__…" and of another extension with "tool:ext__name" or "tool:vscode__name".',
          ),
        );
      }
      return { ok: true, rule: { kind: 'tool', effect, origin, toolName } };
    }
    default: {
      // No program has a colon in its name, so this is a misspelled kind. One letter is a drive.
      const [beginning] = /^\s*[a-z][a-z]+\s*:/i.exec(text) ?? [];
      if (beginning !== undefined) {
        return refuse(
          l10n.t('begins with "{0}", which is unknown. Write "edit:…", "tool:…" or a command.', beginning.trim()),
        );
      }
      const parsed = parseRule(text, { effect, origin, folder });
      return parsed.ok ? { ok: true, rule: { kind: 'command', ...parsed.rule } } : parsed;
    }
  }
}

/** Whether each part of a pattern matches a file, and the whole pattern too. */
function canMatchFiles(glob: string, effect: RuleEffect): boolean {
  const [examples, isMatch] =
    effect === 'allow' ? [findExamples(glob), matches] : [findExamples(glob.normalize()), mayMatch];
  return examples.some((file) => isMatch(file, glob));
}

/** Whether a tool has this name, or a server or another extension could provide one. Aliases of tools do not count. */
function canBeTool(toolName: string): boolean {
  const isStart = toolName.endsWith('*');
  const name = isStart ? toolName.slice(0, -1) : toolName;
  if (name.length > MAX_NAME) return false;
  const [prefix] = PREFIXES.filter((one) => name.startsWith(one));
  if (prefix === undefined) {
    return isStart
      ? [...workspaceToolNames, ...PREFIXES].some((one) => one.startsWith(name))
      : workspaceToolNames.includes(name);
  }
  const rest = name.slice(prefix.length);
  if (prefix !== MCP_PREFIX) return isStart || rest !== '';
  const [, server = rest, tool] = /^(.*?)__(.*)$/.exec(rest) ?? [];
  if (tool !== undefined) return isServerName(server) && (isStart || tool !== '');
  return isStart && (server === '' || isServerName(server.replace(/_$/, '')));
}

/** A backslash before a name or `**`. Made on first use: Node looks up the characters of a literal when it loads the file. */
const separatingBackslash = once(() => new RegExp(String.raw`\\(?:[\p{L}\p{N}_.]|\*\*)`, 'u'));

/** The longest name of a tool. */
const MAX_NAME = 64;
const MCP_PREFIX = 'mcp__';
/** Prefixes of tools that servers and extensions provide. Such tools can come and go. */
const PREFIXES: readonly string[] = [MCP_PREFIX, 'ext__', 'vscode__'];

/**
 * The rule that replaces a restricting rule that cannot be parsed: everything of its kind asks. `note` says so, for
 * people.
 */
export function insteadOfUnclear(
  text: string,
  origin: RuleOrigin,
): { readonly rule: PermissionRule; readonly note: string } {
  const asking = { effect: 'ask', origin } as const;
  switch (/^\s*(edit|tool)s?\s*:/i.exec(text)?.[1]?.toLowerCase()) {
    case 'edit':
      return { rule: { kind: 'edit', ...asking, glob: '**' }, note: l10n.t('Until then every edit asks.') };
    case 'tool':
      return { rule: { kind: 'tool', ...asking, toolName: '*' }, note: l10n.t('Until then every tool asks.') };
    default:
      return {
        rule: { kind: 'command', ...asking, argv: [], isOpenEnded: true },
        note: l10n.t('Until then every command asks.'),
      };
  }
}

/** The text that `parsePermissionRule` parses to the same rule. */
export function formatPermissionRule(rule: PermissionRule): string {
  switch (rule.kind) {
    case 'edit':
      return `edit:${rule.glob}`;
    case 'tool':
      return `tool:${rule.toolName}`;
    case 'command':
      return formatRule(rule);
  }
}

/** The rule and its source, for people. */
export function nameRule(rule: PermissionRule): string {
  return `the rule "${formatPermissionRule(rule)}" from ${describeOrigin(rule.origin)}`;
}

export function commandRules(rules: readonly PermissionRule[]): readonly CommandRule[] {
  return rules.filter((rule) => rule.kind === 'command');
}

/** The rule that allows edits of this file only; `undefined`: its name cannot be written as a pattern. */
export function ruleForFile(target: GuardedPath): string | undefined {
  const { displayPath } = target;
  const isPlain = /^[\w.@+-][\w .@+/-]*$/.test(displayPath) && !displayPath.endsWith(' ');
  return isPlain && isThere(target) ? `edit:/${displayPath}` : undefined;
}

/**
 * The first rule about an edit. An allow rule applies only where no link leads elsewhere. A restricting rule applies to
 * every name of the file, and to a file whose name cannot be matched.
 */
export function findEditRule(
  rules: readonly PermissionRule[],
  effect: RuleEffect,
  target: GuardedPath,
): PermissionRule | undefined {
  const { displayPath, pathInRoot, realPath } = target;
  return rules.find((rule) => {
    if (rule.kind !== 'edit' || rule.effect !== effect) return false;
    if (effect === 'allow') {
      return rule.origin !== 'workspaceFile' && isThere(target) && matches(displayPath, rule.glob);
    }
    const names = [displayPath, ...(pathInRoot === null ? tailsOf(realPath) : [pathInRoot])];
    return names.some((name) => mayMatch(name, rule.glob));
  });
}

export function findToolRule(
  rules: readonly PermissionRule[],
  effect: RuleEffect,
  toolName: string,
): PermissionRule | undefined {
  return rules.find((rule) => {
    if (rule.kind !== 'tool' || rule.effect !== effect) return false;
    if (effect === 'allow' && rule.origin === 'workspaceFile') return false;
    return rule.toolName.endsWith('*') ? toolName.startsWith(rule.toolName.slice(0, -1)) : rule.toolName === toolName;
  });
}

/**
 * Whether the file is where its display path says, so no link led elsewhere. With several workspace folders the display
 * path begins with a folder's name; a link in a single folder could have that name too.
 */
function isThere({ displayPath, pathInRoot, path, realPath }: GuardedPath): boolean {
  if (pathInRoot === null || pathInRoot === '') return false;
  if (displayPath === pathInRoot) return true;
  const below = `/${pathInRoot}`;
  const [folder, inReality] = [path, realPath].map((place) => lastName(place, below));
  const shown = displayPath.endsWith(below) ? displayPath.slice(0, -below.length) : '/';
  if (shown.includes('/') || folder === undefined || inReality === undefined) return false;
  return folder !== shown || inReality === shown;
}

/** The last name of a path before `end`; `undefined`: the path does not end so. */
function lastName(place: string, end: string): string | undefined {
  const plain = place.replaceAll('\\', '/');
  return plain.endsWith(end) ? plain.slice(0, -end.length).split('/').at(-1) : undefined;
}

function tailsOf(realPath: string): readonly string[] {
  const segments = realPath.split(/[\\/]+/).filter(Boolean);
  return segments.map((_segment, index) => segments.slice(index).join('/'));
}

/** Matches also where the path cannot be matched, such as one outside the workspace. Compares composed letters. */
function mayMatch(path: string, glob: string): boolean {
  try {
    return matchesGlob(withoutStart(path).normalize(), glob.normalize());
  } catch {
    return true;
  }
}

function matches(path: string, glob: string): boolean {
  try {
    return matchesGlob(withoutStart(path), glob);
  } catch {
    return false;
  }
}

function withoutStart(path: string): string {
  return path.replace(/^[\\/]+/, '');
}
