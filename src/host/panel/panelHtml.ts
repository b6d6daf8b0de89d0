/** What the panel's document is made of; the addresses are already those of the webview. */
export interface PanelHtmlParts {
  readonly scriptUri: string;
  readonly styleUri: string;
  /** The webview's own origin, as `Webview.cspSource` gives it. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly language: string;
}

/**
 * The panel's document. Its content security policy allows nothing but our own script, style and font: no remote content,
 * no inline script, no inline style. `strict-dynamic` lets the script load its own chunks.
 */
export function panelHtml(parts: PanelHtmlParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${parts.nonce}' 'strict-dynamic'`,
    `style-src ${parts.cspSource}`,
    `font-src ${parts.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(parts.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${escapeAttribute(parts.styleUri)}" />
    <title>Open Agent</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" nonce="${escapeAttribute(parts.nonce)}" src="${escapeAttribute(parts.scriptUri)}"></script>
  </body>
</html>
`;
}

/** What is shown when the extension could not start. */
export function failedPanelHtml(): string {
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'" />
    <title>Open Agent</title>
  </head>
  <body>
    <h2>Open Agent could not start</h2>
    <p>Run "Open Agent: Show Log" to see why, and "Developer: Reload Window" to try again.</p>
  </body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
