import * as l10n from '../../../util/l10n';
/** The parts of the panel's document. The addresses are those of the webview. */
export interface PanelHtmlParts {
  readonly scriptUri: string;
  readonly styleUri: string;
  /** `Webview.cspSource`: the webview's own origin. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly language: string;
  /** English text → text in `language`. Absent: everything is shown in English. */
  readonly translations?: Readonly<Record<string, unknown>> | undefined;
  /** Of a chat in an editor. Absent: the side bar. */
  readonly tabId?: string | undefined;
}

/**
 * The panel's document. Its content security policy allows only our own script, style and font: no remote content, no
 * inline script or style. `strict-dynamic` lets the script load its own chunks.
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
    ${translationsElement(parts.translations)}<div id="root"${parts.tabId === undefined ? '' : ` data-tab="${escapeAttribute(parts.tabId)}"`}></div>
    <script type="module" nonce="${escapeAttribute(parts.nonce)}" src="${escapeAttribute(parts.scriptUri)}"></script>
  </body>
</html>
`;
}

/** A browser runs no script of this type, so the policy allows it. src/webview/translations.ts reads it. */
function translationsElement(translations: PanelHtmlParts['translations']): string {
  if (translations === undefined) return '';
  const json = JSON.stringify(translations).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="translations">${json}</script>\n    `;
}

/** The document for an extension that could not start. */
export function failedPanelHtml(language: string): string {
  const title = l10n.t('Open Agent could not start');
  const wayOut = l10n.t('Run "Open Agent: Show Log" to see why, and "Developer: Reload Window" to try again.');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'" />
    <title>Open Agent</title>
  </head>
  <body>
    <h2>${title}</h2>
    <p>${wayOut}</p>
  </body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
