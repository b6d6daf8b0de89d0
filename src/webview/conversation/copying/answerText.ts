import type { SessionView, ViewItem } from '../../../agent/view/sessionView';
import { loadMarkdown } from '../../markdown/markdownModule';

/** `text`: as it reads. `markdown`: as the model wrote it. */
export type CopyFormat = 'text' | 'markdown';

/**
 * The message that an item belongs to: a prompt, or all texts of the answer to one. Without `itemId`: the newest answer.
 * `undefined`: there is none.
 */
export async function messageText(
  items: readonly ViewItem[],
  itemId: string | undefined,
  format: CopyFormat,
): Promise<string | undefined> {
  const index = items.findLastIndex(({ id, kind }) => (itemId === undefined ? kind === 'text' : id === itemId));
  const item = items[index];
  if (item?.kind === 'prompt') return item.text;
  if (item?.kind !== 'text') return undefined;
  const start = items.slice(0, index).findLastIndex(isOwnPrompt) + 1;
  const next = items.findIndex((other, at) => at > index && isOwnPrompt(other));
  const texts = items
    .slice(start, next === -1 ? items.length : next)
    .flatMap((other) => (other.kind === 'text' ? [other.text] : []));
  const markdown = texts.map((text) => text.trim()).join('\n\n');
  return format === 'markdown' ? markdown : (await loadMarkdown()).renderAsText(markdown);
}

/** Whether an item is the last text of a finished answer. Looks only at what follows it. */
export function isEndOfAnswer({ items, state }: Pick<SessionView, 'items' | 'state'>, item: ViewItem): boolean {
  if (item.kind !== 'text') return false;
  for (let index = items.indexOf(item) + 1; index < items.length; index += 1) {
    const next = items[index];
    if (next?.kind === 'text') return false;
    if (next && isOwnPrompt(next)) return true;
  }
  return state === 'idle';
}

function isOwnPrompt(item: ViewItem): boolean {
  return item.kind === 'prompt' && !item.isSteering;
}
