import type { PanelController } from '../../panel/panelController';

interface Parts {
  readonly panel: Pick<PanelController, 'post'>;
}

/**
 * Copies the message under the context menu of the panel, or the newest answer. `context`: what VS Code read from
 * `data-vscode-context` of the page.
 */
export async function copyMessage({ panel }: Parts, context: unknown, format: 'text' | 'markdown'): Promise<void> {
  const itemId = typeof context === 'object' && context !== null && 'itemId' in context ? context.itemId : undefined;
  // The page has the text that it shows.
  panel.post({ type: 'copy_message', format, ...(typeof itemId === 'string' && { itemId }) });
}
