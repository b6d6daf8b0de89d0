import * as l10n from '../../util/l10n';
import type { ThinkingItem, ToolItem } from '../../agent/view/sessionView';

/** What cards have read, such as `Read 6 files, searched twice`. */
export function readingsTitle(cards: readonly (ToolItem | ThinkingItem)[]): string {
  const files = distinctPaths(cards, 'read_file');
  const folders = distinctPaths(cards, 'list_directory');
  const searches = callsOf(cards, 'search_text').length + callsOf(cards, 'find_symbol').length;
  const checks = callsOf(cards, 'get_diagnostics').length;
  const parts = [
    files > 0 && (files === 1 ? l10n.t('read a file') : l10n.t('read {0} files', files)),
    folders > 0 && (folders === 1 ? l10n.t('listed a folder') : l10n.t('listed {0} folders', folders)),
    searches > 0 && searchesText(searches),
    checks > 0 && checksText(checks),
  ].filter((part) => part !== false);
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function callsOf(cards: readonly (ToolItem | ThinkingItem)[], toolName: string): readonly ToolItem[] {
  return cards.filter((card): card is ToolItem => card.kind === 'tool' && card.toolName === toolName);
}

function distinctPaths(cards: readonly (ToolItem | ThinkingItem)[], toolName: string): number {
  return new Set(callsOf(cards, toolName).map(({ input }) => input?.['path'] ?? '.')).size;
}

function searchesText(count: number): string {
  if (count === 1) return l10n.t('searched once');
  return count === 2 ? l10n.t('searched twice') : l10n.t('searched {0} times', count);
}

function checksText(count: number): string {
  if (count === 1) return l10n.t('checked for problems once');
  return count === 2 ? l10n.t('checked for problems twice') : l10n.t('checked for problems {0} times', count);
}
