// Imported first, so that every text that is shown can be translated.
import { config } from '../util/l10n';
import { setLanguage } from '../util/locale';

// Written by src/host/panel/page/panelHtml.ts. Absent: everything is shown in English.
const contents = document.getElementById('translations')?.textContent;
if (contents) {
  config({ contents: JSON.parse(contents) as Record<string, unknown> });
  setLanguage(document.documentElement.lang);
}
