import { visibleSegments, type VisibleTextKind } from '../../util/visibleText';

/**
 * Has characters that would not be seen shown by name, in all text below `root`. They stay where they are, so that code
 * is copied and a link's text is judged as it was written; only the style shows their names, and keeps them from turning
 * what follows around. Call it again for text that is new: what is marked stays marked once.
 */
export function markHiddenCharacters(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && hasHiddenCharacters(node.data, kindOf(node)) && !isMarked(node)) texts.push(node);
  }
  for (const text of texts) {
    const parts = visibleSegments(text.data, kindOf(text)).map((segment) =>
      segment.isHidden ? mark(segment.source, segment.text) : segment.text,
    );
    text.replaceWith(...parts);
  }
}

export function hasHiddenCharacters(text: string, kind: VisibleTextKind): boolean {
  return visibleSegments(text, kind).some(({ isHidden }) => isHidden);
}

function kindOf(text: Text): VisibleTextKind {
  return text.parentElement?.closest('pre') ? 'code' : 'prose';
}

function isMarked(text: Text): boolean {
  return text.parentElement?.dataset['shown'] !== undefined;
}

function mark(source: string, shown: string): HTMLElement {
  const element = document.createElement('span');
  element.className = 'hidden-character';
  element.dataset['shown'] = shown;
  element.textContent = source;
  return element;
}
