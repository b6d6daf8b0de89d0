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

/** The ids of the last text of each finished answer. */
export function endsOfAnswers({ items, state }: Pick<SessionView, 'items' | 'state'>): ReadonlySet<string> {
  const ends = new Set<string>();
  let last: string | undefined;
  for (const item of items) {
    if (item.kind === 'text') last = item.id;
    else if (isOwnPrompt(item)) {
      if (last !== undefined) ends.add(last);
      last = undefined;
    }
  }
  if (last !== undefined && state === 'idle') ends.add(last);
  return ends;
}

function isOwnPrompt(item: ViewItem): boolean {
  return item.kind === 'prompt' && !item.isSteering;
}
