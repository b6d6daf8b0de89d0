import { MAX_LINK_TEXT } from '../../agent/view/messageLimits';
import type { PanelStore } from '../state/panelStore';

/** Asks the host to open the link around `target`. Returns false when there is none. */
export function openLinkAt(target: EventTarget | null, store: PanelStore): boolean {
  const link = target instanceof Element ? target.closest<HTMLElement>('[data-link], [data-file]') : null;
  if (link === null) return false;
  const { link: href, file, line } = link.dataset;
  if (href !== undefined)
    store.post({ type: 'openLink', href, text: (link?.textContent ?? '').slice(0, MAX_LINK_TEXT) });
  else if (file !== undefined)
    store.post({ type: 'openFile', path: file, ...(line !== undefined && { line: Number(line) }) });
  return true;
}
