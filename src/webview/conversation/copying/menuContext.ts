/** Tells VS Code which entries the context menu of an element has, and what they mean. See `webview/context` in package.json. */
export function menuContext(webviewSection: 'prompt' | 'answer', itemId: string): object {
  return { 'data-vscode-context': JSON.stringify({ webviewSection, itemId }) };
}
