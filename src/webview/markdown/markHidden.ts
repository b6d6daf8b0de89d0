import { visibleSegments, type VisibleTextKind } from '../../util/text/visibleText';

/**
 * Shows hidden characters by name in all text below `root`. The characters stay in the text, so copied code and the text
 * of links keep them; the style shows the names and stops the characters from reversing the text that follows. Call it
 * again for new text: it skips marked text.
 */
export function markHiddenCharacters(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && hasHiddenCharacters(node.data, kindOf(node)) && !isMarked(node)) texts.push(node);
  }
  for (const text of texts) {
    const marked = document.createDocumentFragment();
    for (const segment of visibleSegments(text.data, kindOf(text))) {
      marked.append(segment.isHidden ? mark(segment.source, segment.text) : segment.text);
    }
    text.replaceWith(marked);
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
