/** The text of rendered Markdown as a person reads it: without marks, with line breaks, bullets and numbers. */
export function plainText(root: Node): string {
  return blockText(root)
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .replaceAll(CODE_LINE, '\n');
}

const BLOCKS = /^(?:P|H[1-6]|UL|OL|BLOCKQUOTE|PRE|TABLE|HR|DIV)$/;
/** These hold only elements. The text between them is white space of the source. */
const CONTAINERS = /^(?:UL|OL|TABLE|THEAD|TBODY|TR)$/;
/** Stands for a line break of code, which stays. The parser leaves no such character in a text. */
const CODE_LINE = '\0';

function blockText(node: Node): string {
  if (node instanceof Text) return CONTAINERS.test(node.parentElement?.tagName ?? '') ? '' : node.data;
  const children = [...node.childNodes].map(blockText);
  const inner = children.join('');
  if (!(node instanceof Element)) return inner;
  switch (node.tagName) {
    case 'BR':
      return '\n';
    case 'PRE':
      return `\n\n${node.textContent.replaceAll('\n', CODE_LINE)}\n\n`;
    case 'LI':
      return `\n${bulletOf(node)}${inner.trim().replaceAll(/\n+/g, '\n  ')}`;
    case 'TR':
      return `\n${[...node.children].map((cell) => blockText(cell).trim()).join('\t')}`;
    case 'SPAN':
      return (node.getAttribute('role') === 'img' ? `[${node.getAttribute('aria-label')}]` : '') + inner;
    default:
      return BLOCKS.test(node.tagName) ? `\n\n${inner.trim()}\n\n` : inner;
  }
}

function bulletOf(item: Element): string {
  const list = item.parentElement;
  if (list?.tagName !== 'OL') return '- ';
  const first = Number(list.getAttribute('start') ?? 1);
  return `${first + [...list.children].indexOf(item)}. `;
}
