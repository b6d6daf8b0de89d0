import type { ThinkingItem, ToolItem } from '../../agent/view/sessionView';

/** What cards have read, such as `Read 6 files, searched twice`. */
export function readingsTitle(cards: readonly (ToolItem | ThinkingItem)[]): string {
  const files = distinctPaths(cards, 'read_file');
  const folders = distinctPaths(cards, 'list_directory');
  const searches = callsOf(cards, 'search_text').length + callsOf(cards, 'find_symbol').length;
  const checks = callsOf(cards, 'get_diagnostics').length;
  const parts = [
    files > 0 && `read ${files === 1 ? 'a file' : `${files} files`}`,
    folders > 0 && `listed ${folders === 1 ? 'a folder' : `${folders} folders`}`,
    searches > 0 && `searched ${times(searches)}`,
    checks > 0 && `checked for problems ${times(checks)}`,
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

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
