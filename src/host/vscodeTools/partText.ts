import * as vscode from 'vscode';

/** The text of a part of a message or of a tool result. Other content becomes its type and size. */
export function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return promptText(part.value);
  if (!(part instanceof vscode.LanguageModelDataPart)) return '[content of an unknown type: not shown]';
  const { mimeType, data } = part;
  if (/^text\/|[/+]json$/.test(mimeType)) return new TextDecoder().decode(data);
  return `[${mimeType.replaceAll(/[^\w.+/-]/g, '?').slice(0, 100)}, ${data.byteLength} bytes: not shown]`;
}

/** The texts of a tree of `@vscode/prompt-tsx`: nodes with `children`, leaves with `text`. */
function promptText(value: unknown): string {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { text, children, node: root } = node as Readonly<Record<'text' | 'children' | 'node', unknown>>;
    if (typeof text === 'string') texts.push(text);
    if (Array.isArray(children)) for (const child of children) visit(child);
    visit(root);
  };
  visit(value);
  return texts.length > 0 ? texts.join('') : (JSON.stringify(value) ?? '');
}
