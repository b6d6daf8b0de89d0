import * as l10n from '../../../util/l10n';
import type { FromWebview } from '../../../protocol/fromWebview';
import type { IconName } from '../../controls/icons';
import type { PanelStore } from '../../state/panelStore';

type Use = Extract<FromWebview, { readonly type: 'useCode' }>['use'];

/** What the host does with a block of code. */
export const codeUses = (): readonly CodeUse[] => [
  { use: 'insert', label: l10n.t('Insert at Cursor'), icon: 'insert' },
  { use: 'apply', label: l10n.t('Apply to File…'), icon: 'git-compare' },
  { use: 'newFile', label: l10n.t('Insert into New File'), icon: 'new-file' },
];

interface CodeUse {
  readonly use: Use;
  readonly label: string;
  readonly icon: IconName;
}

/** Asks the host to use the code whose button is around `target`. Returns false when there is none. */
export function applyCodeAt(target: EventTarget | null, store: PanelStore): boolean {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-use]') : null;
  const box = button?.closest('.code-block');
  const code = box?.querySelector<HTMLElement>('pre > code');
  const use = codeUses().find((known) => known.use === button?.dataset['use'])?.use;
  const sessionId = store.state.session?.sessionId;
  if (!box || !code || use === undefined || sessionId === undefined) return false;
  const path = code.dataset['path'] ?? pathBefore(box);
  const language = code.dataset['lang'] ?? '';
  store.post({
    type: 'useCode',
    sessionId,
    use,
    code: code.textContent,
    language,
    ...(path !== undefined && { path }),
  });
  return true;
}

/** The path in the text before a block of code, if there is exactly one. */
function pathBefore(box: Element): string | undefined {
  const before = box.previousElementSibling ?? blockBefore(box.closest('.markdown-block'));
  if (!before) return undefined;
  const selector = '[data-file], [data-mention]';
  // The text of a list's item may have no element around it.
  const scope = before.parentElement?.tagName === 'LI' ? siblingsBefore(box) : [before];
  const named = scope.flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...element.querySelectorAll(selector),
  ]);
  const paths = new Set(
    named.flatMap((element) =>
      element instanceof HTMLElement ? [element.dataset['file'] ?? element.dataset['mention']] : [],
    ),
  );
  return paths.size === 1 ? [...paths][0] : undefined;
}

function blockBefore(block: Element | null): Element | null | undefined {
  return block?.previousElementSibling ?? block?.parentElement?.previousElementSibling?.lastElementChild;
}

function siblingsBefore(element: Element): readonly Element[] {
  const siblings = [...(element.parentElement?.children ?? [])];
  return siblings.slice(0, siblings.indexOf(element));
}
