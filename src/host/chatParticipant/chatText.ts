import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { assertNever } from '../../util/assertNever';
import type { JsonObject } from '../../util/json';
import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';

const MAX_CHARACTERS = 160;

/** Foreign text as inline code: literal, on one line, hidden characters by name. */
export function literal(text: string): string {
  const shown = visibleText(text.slice(0, MAX_CHARACTERS), 'path') + (text.length > MAX_CHARACTERS ? '…' : '');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${shown} ${fence}`;
}

/** One line of Markdown for a tool call. */
export function toolLine(toolName: string, input: JsonObject): string {
  const target = ['symbol', 'path', 'command', 'pattern']
    .map((name) => input[name])
    .find((value) => typeof value === 'string');
  const named = ['list_directory'].includes(toolName) ? (target ?? '.') : target;
  // Without a file, it checks the workspace.
  if (toolName === 'get_diagnostics' && named === undefined) return l10n.t('Check');
  const line = named === undefined ? undefined : lineOf(toolName, literal(named));
  return line ?? l10n.t('Run {0}', literal(toolName));
}

/** One line of Markdown for a question. */
export function questionLine(approval: ApprovalSummary): string {
  switch (approval.kind) {
    case 'edit':
      return approval.title === undefined ? l10n.t('Edit {0}', literal(approval.displayPath)) : literal(approval.title);
    case 'read':
      return l10n.t('Read {0}', literal(approval.displayPath));
    case 'command':
      return l10n.t('Run {0}', literal(approval.command));
    case 'mcp':
    case 'extension':
      return l10n.t('Run {0}', literal(approval.tool));
    default:
      return assertNever(approval);
  }
}

function lineOf(toolName: string, what: string): string | undefined {
  switch (toolName) {
    case 'read_file':
      return l10n.t('Read {0}', what);
    case 'list_directory':
      return l10n.t('List {0}', what);
    case 'search_text':
      return l10n.t('Search {0}', what);
    case 'find_symbol':
      return l10n.t('Find {0}', what);
    case 'get_diagnostics':
      return l10n.t('Check {0}', what);
    case 'apply_edit':
      return l10n.t('Edit {0}', what);
    case 'write_file':
      return l10n.t('Write {0}', what);
    case 'run_terminal_command':
      return l10n.t('Run {0}', what);
    default:
      return undefined;
  }
}
