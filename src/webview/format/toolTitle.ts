import { visibleText } from '../../util/text/visibleText';
import * as l10n from '../../util/l10n';
import type { ToolItem } from '../../agent/view/sessionView';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import type { IconName } from '../controls/icons';

type ToolVerb =
  'read' | 'list' | 'search' | 'rename' | 'find' | 'check' | 'edit' | 'create' | 'overwrite' | 'write' | 'run';

/** A tool use in words, such as `Edit` `src/a.ts` `lines 3 to 9`. */
export interface ToolTitle {
  readonly icon: IconName;
  readonly verb: ToolVerb;
  /** The path, pattern or command. Empty until the model has written it. */
  readonly target: string;
  readonly targetKind: 'path' | 'command';
  readonly detail?: string | undefined;
}

/** The pieces of the title, without its detail. `target`: the target as it is shown. */
export function titleParts<Target>(verb: ToolVerb, target: Target): readonly (string | Target)[] {
  switch (verb) {
    case 'read':
      return l10n.parts('Read {0}', target);
    case 'list':
      return l10n.parts('List {0}', target);
    case 'search':
      return l10n.parts('Search {0}', target);
    case 'rename':
      return l10n.parts('Rename {0}', target);
    case 'find':
      return l10n.parts('Find {0}', target);
    case 'check':
      return l10n.parts('Check {0}', target);
    case 'edit':
      return l10n.parts('Edit {0}', target);
    case 'create':
      return l10n.parts('Create {0}', target);
    case 'overwrite':
      return l10n.parts('Overwrite {0}', target);
    case 'write':
      return l10n.parts('Write {0}', target);
    case 'run':
      return l10n.parts('Run {0}', target);
  }
}

/** The title as plain text, without its detail. */
export function titleText({ verb, target }: Pick<ToolTitle, 'verb' | 'target'>): string {
  return titleParts(verb, visibleText(target, 'path')).join('').trim();
}

/** The title of a card, from the arguments written so far. */
export function toolTitle(item: ToolItem): ToolTitle {
  const input = item.input ?? partialInput(item.argumentsText);
  const edit = item.approval?.kind === 'edit' ? item.approval : undefined;
  const path = edit?.displayPath ?? text(input['path']);
  switch (item.toolName) {
    case 'read_file':
      return { icon: 'file', verb: 'read', target: path, targetKind: 'path', detail: lineRange(input) };
    case 'list_directory':
      return { icon: 'list-tree', verb: 'list', target: path === '' ? '.' : path, targetKind: 'path' };
    case 'search_text':
      return {
        icon: 'search',
        verb: 'search',
        target: text(input['pattern']),
        targetKind: 'path',
        detail: path === '' ? undefined : l10n.t('in {0}', path),
      };
    case 'find_symbol': {
      const newName = renamedTo(input);
      if (newName !== undefined) {
        const target = text(input['symbol']);
        return {
          icon: 'edit',
          verb: 'rename',
          target,
          targetKind: 'path',
          detail: l10n.t('to {0}', newName),
        };
      }
      const [symbol, find] = [text(input['symbol']), text(input['find'])];
      const details = [symbol === '' ? '' : find, symbol === '' || path === '' ? '' : l10n.t('in {0}', path)];
      const detail = details.filter((part) => part !== '').join(' ');
      const target = symbol === '' ? path : symbol;
      return {
        icon: 'search',
        verb: 'find',
        target,
        targetKind: 'path',
        detail: detail === '' ? undefined : detail,
      };
    }
    case 'get_diagnostics':
      return {
        icon: 'warning',
        verb: 'check',
        target: path === '' ? l10n.t('the workspace') : path,
        targetKind: 'path',
      };
    case 'apply_edit':
      return { icon: 'edit', verb: 'edit', target: path, targetKind: 'path' };
    case 'write_file':
      return {
        icon: 'new-file',
        verb: writingVerb(item),
        target: path,
        targetKind: 'path',
      };
    case 'run_terminal_command':
      return {
        icon: 'terminal',
        verb: 'run',
        target: item.approval?.kind === 'command' ? item.approval.command : text(input['command']),
        targetKind: 'command',
      };
    default:
      return { icon: 'tools', verb: 'run', target: item.toolName, targetKind: 'path' };
  }
}

/** The new name that a call of find_symbol gives; `undefined`: it only reads. */
export function renamedTo(input: JsonObject | undefined): string | undefined {
  const given = text(input?.['new_name']) || text(input?.['newName']);
  const found = /^\s*rename(?:\s*(?:symbol\s+)?(?:to|as|into)\b)?[\s:]*(.*)$/is.exec(text(input?.['find']))?.[1];
  return given === '' ? found : given;
}

/** The same word before and after the person's answer. The result begins with what was done. */
function writingVerb({ approval, writes, result = '' }: ToolItem): ToolVerb {
  const operation = approval?.kind === 'edit' ? approval.operation : writes;
  if (operation === 'create' || result.startsWith('Created ')) return 'create';
  return operation === 'overwrite' || result.startsWith('Overwrote ') ? 'overwrite' : 'write';
}

/** The file that a card can open in the editor. */
export function toolFile(item: ToolItem): string | undefined {
  const isFile = ['read_file', 'get_diagnostics', 'apply_edit', 'write_file'].includes(item.toolName);
  const path = isFile ? text(item.input?.['path']) : '';
  return path === '' ? undefined : path;
}

/** The line to show in that file, from 1: where it was read or changed first. `undefined`: unknown. */
export function toolLine(item: ToolItem): number | undefined {
  const display = isJsonObject(item.display) ? item.display : {};
  const proposed = item.approval?.kind === 'edit' ? firstLineOf(item.approval.diff) : undefined;
  const line = proposed ?? number(display['line']) ?? number(item.input?.['start_line']);
  return line !== undefined && Number.isInteger(line) && line >= 1 && line <= MAX_LINE ? line : undefined;
}

/** The greatest line that the host opens. */
const MAX_LINE = 10_000_000;

/** Of a unified diff: its first line in the file as it is now. */
function firstLineOf(diff: string): number | undefined {
  const start = /^@@ -(\d+)/.exec(diff)?.[1];
  return start === undefined ? undefined : Number(start);
}

function lineRange(input: JsonObject): string | undefined {
  const start = number(input['start_line']);
  const end = number(input['end_line']);
  if (end === undefined) return start === undefined ? undefined : l10n.t('from line {0}', start);
  return start === end ? l10n.t('line {0}', end) : l10n.t('lines {0} to {1}', start ?? 1, end);
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The complete strings in arguments that the model is still writing. */
function partialInput(argumentsText: string): JsonObject {
  const input: Record<string, string> = {};
  for (const name of ['path', 'pattern', 'command', 'symbol', 'find']) {
    const found = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(argumentsText)?.[1];
    if (found === undefined) continue;
    try {
      input[name] = JSON.parse(found) as string;
    } catch (error) {
      // An invalid escape: the title waits for the finished arguments.
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return input;
}
