import * as l10n from '../../../util/l10n';
import { isJsonObject } from '../../../util/json';
import { visibleText } from '../../../util/text/visibleText';
import type { SessionNotice, ToolItem, ViewItem } from '../sessionView';

const MAX_FILES = 6;

/**
 * The notice with the files that a run changed without asking, and a button to review them; `undefined`: it asked about
 * each. `items`: the view's items after the run. `counts`: which files to name, by the model's path; by default all.
 */
export function reviewNotice(
  id: string,
  items: readonly ViewItem[],
  counts: (path: string) => boolean = () => true,
): SessionNotice | undefined {
  const start = items.findLastIndex((item) => item.kind === 'prompt' && !item.isSteering);
  const files = new Map<string, { added: number; removed: number }>();
  for (const item of items.slice(start + 1)) {
    const edit = item.kind === 'tool' ? unaskedEdit(item) : undefined;
    if (!edit || !counts(edit.path)) continue;
    const path = visibleText(edit.path, 'path');
    const before = files.get(path) ?? { added: 0, removed: 0 };
    files.set(path, { added: before.added + edit.added, removed: before.removed + edit.removed });
  }
  if (files.size === 0) return undefined;
  const listed = [...files].slice(0, MAX_FILES).map(([path, { added, removed }]) => `${path} +${added} −${removed}`);
  if (files.size > MAX_FILES) listed.push(l10n.t('and {0} more', files.size - MAX_FILES));
  const count =
    files.size === 1
      ? l10n.t('The agent changed one file without asking:')
      : l10n.t('The agent changed {0} files without asking:', files.size);
  const message = `${count}\n${listed.join('\n')}`;
  return { id, severity: 'info', message, actions: ['reviewEdits'] };
}

function unaskedEdit(
  item: ToolItem,
): { readonly path: string; readonly added: number; readonly removed: number } | undefined {
  if (item.state !== 'succeeded' || item.approvalOutcome !== undefined || !isJsonObject(item.display)) return undefined;
  const { addedLines: added, removedLines: removed } = item.display;
  const path = item.input?.['path'];
  if (typeof added !== 'number' || typeof removed !== 'number' || typeof path !== 'string') return undefined;
  return { path, added, removed };
}
