import type { PanelStore } from '../state/panelStore';

/** Has the host open the link of an answer that `target` is in; false when it is in none. */
export function openLinkAt(target: EventTarget | null, store: PanelStore): boolean {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-link], [data-file]') : null;
  if (link === null) return false;
  const { link: href, file, line } = link.dataset;
  if (href !== undefined) store.post({ type: 'openLink', href });
  else if (file !== undefined)
    store.post({ type: 'openFile', path: file, ...(line !== undefined && { line: Number(line) }) });
  return true;
}
