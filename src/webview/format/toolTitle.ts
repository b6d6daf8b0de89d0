import { visibleText } from '../../util/text/visibleText';
import * as l10n from '../../util/l10n';
import type { ToolItem } from '../../agent/view/sessionView';
import { isJsonObject, type JsonObject, type JsonValue } from '../../util/json';
import type { IconName } from '../controls/icons';

/** A tool use in words, such as `Edit` `src/a.ts` `lines 3 to 9`. */
export interface ToolTitle {
  readonly icon: IconName;
  /** The verb, translated, with `{0}` for the target. */
  readonly words: string;
  /** The path, pattern or command. Empty until the model has written it. */
  readonly target: string;
  readonly targetKind: 'path' | 'command';
  readonly detail?: string | undefined;
}

/** The title as plain text, without its detail. */
export function titleText({ words, target }: Pick<ToolTitle, 'words' | 'target'>): string {
  return words.replace('{0}', () => visibleText(target, 'path')).trim();
}

/** The title of a card, from the arguments written so far. */
export function toolTitle(item: ToolItem): ToolTitle {
  const input = item.input ?? partialInput(item.argumentsText);
  const edit = item.approval?.kind === 'edit' ? item.approval : undefined;
  const path = edit?.displayPath ?? text(input['path']);
  switch (item.toolName) {
    case 'read_file':
      return { icon: 'file', words: l10n.t('Read {0}'), target: path, targetKind: 'path', detail: lineRange(input) };
    case 'list_directory':
      return { icon: 'list-tree', words: l10n.t('List {0}'), target: path === '' ? '.' : path, targetKind: 'path' };
    case 'search_text':
      return {
        icon: 'search',
        words: l10n.t('Search {0}'),
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
          words: l10n.t('Rename {0}'),
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
        words: l10n.t('Find {0}'),
        target,
        targetKind: 'path',
        detail: detail === '' ? undefined : detail,
      };
    }
    case 'get_diagnostics':
      return {
        icon: 'warning',
        words: l10n.t('Check {0}'),
        target: path === '' ? l10n.t('the workspace') : path,
        targetKind: 'path',
      };
    case 'apply_edit':
      return { icon: 'edit', words: l10n.t('Edit {0}'), target: path, targetKind: 'path' };
    case 'write_file':
      return {
        icon: 'new-file',
        words: writingWords(item),
        target: path,
        targetKind: 'path',
      };
    case 'run_terminal_command':
      return {
        icon: 'terminal',
        words: l10n.t('Run {0}'),
        target: item.approval?.kind === 'command' ? item.approval.command : text(input['command']),
        targetKind: 'command',
      };
    default:
      return { icon: 'tools', words: l10n.t('Use {0}'), target: item.toolName, targetKind: 'path' };
  }
}

/** The new name that a call of find_symbol gives; `undefined`: it only reads. */
export function renamedTo(input: JsonObject | undefined): string | undefined {
  const given = text(input?.['new_name']) || text(input?.['newName']);
  const found = /^\s*rename(?:\s*(?:symbol\s+)?(?:to|as|into)\b)?[\s:]*(.*)$/is.exec(text(input?.['find']))?.[1];
  return given === '' ? found : given;
}

/** The same word before and after the person's answer. The result begins with what was done. */
function writingWords({ approval, writes, result = '' }: ToolItem): string {
  const operation = approval?.kind === 'edit' ? approval.operation : writes;
  if (operation === 'create' || result.startsWith('Created ')) return l10n.t('Create {0}');
  return operation === 'overwrite' || result.startsWith('Overwrote ') ? l10n.t('Overwrite {0}') : l10n.t('Write {0}');
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
