import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../scripts/projectRoot';
import { exemptions, translatedParts } from '../support/l10n/exemptions';
import { readSourceTexts, type LiteralText, type SourceTexts } from '../support/l10n/sourceTexts';

function readJson(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8')) as Record<string, string>;
}

function bundlesIn(folder: string): readonly string[] {
  return readdirSync(path.join(projectRoot, folder)).map((name) => `${folder}/${name}`);
}

function placeholdersOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{(\d+)\}/g)].map((match) => match[1] ?? ''))].sort();
}

function exemptionOf({ file, text }: LiteralText) {
  return exemptions.find(
    (exemption) =>
      file.startsWith(exemption.file) &&
      (exemption.text === undefined ||
        (typeof exemption.text === 'string' ? text === exemption.text : exemption.text.test(text))),
  );
}

describe('the texts of the source', function () {
  let texts: SourceTexts;
  before(() => {
    texts = readSourceTexts();
  });

  it('are translated as one string literal', () => {
    const others = texts.translated.filter(({ key }) => key === undefined).map(({ place }) => place);
    assert.deepEqual(others, []);
  });

  // VS Code loads its translations before the extension, but chunks of the build are loaded in any order.
  it('are translated when they are shown, not when their module is loaded', () => {
    assert.deepEqual(
      texts.translated.filter(({ isEarly }) => isEarly).map(({ place }) => place),
      [],
    );
  });

  it('would be found without their translation, except single words', () => {
    const lost = texts.translated.filter(({ key = '', isFound }) => !isFound && /\p{L}\P{L}+\p{L}/u.test(key));
    assert.deepEqual(lost, []);
  });

  it('have one placeholder for each value, counted from {0}', () => {
    const wrong = texts.translated.filter(
      ({ key, values }) =>
        key !== undefined &&
        values !== undefined &&
        placeholdersOf(key).join() !== Array.from({ length: values }, (_, at) => String(at)).join(),
    );
    assert.deepEqual(wrong, []);
  });

  it('are all translated, except the listed ones', () => {
    const left = texts.literal.filter(
      (literal) => translatedParts.some((part) => literal.file.startsWith(part)) && exemptionOf(literal) === undefined,
    );
    assert.deepEqual(
      left.map(({ place, text }) => `${place} ${JSON.stringify(text)}`),
      [],
    );
  });

  it('need every exemption', () => {
    const used = new Set(texts.literal.map(exemptionOf));
    assert.deepEqual(
      exemptions.filter((exemption) => !used.has(exemption)),
      [],
    );
  });

  for (const bundle of [...bundlesIn('l10n'), ...bundlesIn('src/bridge/l10n')]) {
    describe(`in ${bundle}`, () => {
      const translations = readJson(bundle);
      // The bridge is an extension of its own.
      const isOfBridge = bundle.startsWith('src/bridge/');

      it('are complete, and nothing else is there', () => {
        const keys = new Set(
          texts.translated
            .filter(({ place }) => place.startsWith('src/bridge/') === isOfBridge)
            .flatMap(({ key }) => key ?? []),
        );
        const missing = [...keys].filter((key) => !Object.hasOwn(translations, key));
        const stale = Object.keys(translations).filter((key) => !keys.has(key));
        assert.deepEqual({ missing, stale }, { missing: [], stale: [] });
      });

      it('have the placeholders of the English texts', () => {
        const wrong = Object.entries(translations).filter(
          ([key, text]) => placeholdersOf(key).join() !== placeholdersOf(text).join(),
        );
        assert.deepEqual(wrong, []);
      });

      it('are in the order of their keys', () => {
        assert.deepEqual(Object.keys(translations), Object.keys(translations).sort());
      });
    });
  }
});
