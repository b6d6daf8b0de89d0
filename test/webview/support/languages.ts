import german from '../../../l10n/bundle.l10n.de.json';

/** `marked`: every translation has a number and no Latin letter, so that an untranslated word stands out. */
export type PanelLanguage = 'en' | 'de' | 'marked';

const marked = Object.fromEntries(
  Object.keys(german).map((english, index) => [english, `${english.replaceAll(/\p{L}/gu, 'ꓘ')}⟨${index}⟩`] as const),
);

/** English text → text in the language. `undefined`: English. */
export function translationsOf(language: PanelLanguage): Readonly<Record<string, string>> | undefined {
  return language === 'en' ? undefined : language === 'de' ? german : marked;
}
