import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { assertNever } from '../../util/assertNever';
import type { JsonObject } from '../../util/json';
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
  const verb = VERBS[toolName];
  if (verb === undefined) return `Run ${literal(toolName)}`;
  return named === undefined ? verb : `${verb} ${literal(named)}`;
}

/** One line of Markdown for a question. */
export function questionLine(approval: ApprovalSummary): string {
  switch (approval.kind) {
    case 'edit':
      return approval.title === undefined ? `Edit ${literal(approval.displayPath)}` : literal(approval.title);
    case 'read':
      return `Read ${literal(approval.displayPath)}`;
    case 'command':
      return `Run ${literal(approval.command)}`;
    case 'mcp':
    case 'extension':
      return `Run ${literal(approval.tool)}`;
    default:
      return assertNever(approval);
  }
}

const VERBS: Readonly<Record<string, string>> = {
  read_file: 'Read',
  list_directory: 'List',
  search_text: 'Search',
  find_symbol: 'Find',
  get_diagnostics: 'Check',
  apply_edit: 'Edit',
  write_file: 'Write',
  run_terminal_command: 'Run',
};
