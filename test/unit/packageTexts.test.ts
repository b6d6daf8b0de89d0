import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nlsKey } from '../../scripts/manifest';
import { projectRoot } from '../../scripts/projectRoot';

/** The folders of the extensions, from the root of the repository. */
const extensions = ['.', 'src/bridge'];

/** Names of fields that VS Code shows to people. */
const shown =
  /^(title|shortTitle|category|label|contextualTitle|displayName|fullName|description|\w*[dD]escriptions?|\w*[mM]essage|enumItemLabels)$/;

/** Names of fields that nobody is shown, whatever they contain. */
const notShown = /^(when|enablement|key|mac|win|linux|default|examples|body|pattern|command|id|icon)$/;
/** Fields that hold a value of a setting. */
const ownContent = /^(default|examples|body)$/;

/** The strings of a manifest that must be keys: each with its path. */
function shownStrings(value: unknown, at: readonly string[] = []): ReadonlyArray<readonly [string, string]> {
  if (typeof value === 'string') {
    const name = at.findLast((part) => !/^\d+$/.test(part)) ?? '';
    const isViewName = name === 'name' && at.includes('views');
    return shown.test(name) || isViewName || /\p{L}\s\p{L}/u.test(value) ? [[at.join('.'), value]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name, child]) => !(notShown.test(name) && (typeof child === 'string' || ownContent.test(name))))
    .flatMap(([name, child]) => shownStrings(child, [...at, name]));
}

/** Code, settings and commands in a text: the same in every language. */
function unchangedParts(text: string): readonly string[] {
  return [...text.matchAll(/`[^`]+`|\]\([^)]+\)|%\w+%|\$\([\w-]+\)/g)].map(([part]) => part).sort();
}

for (const extension of extensions) {
  const folder = path.join(projectRoot, extension);
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Record<string, unknown>;
  const english = read('package.nls.json') as Readonly<Record<string, string>>;

  describe(`the texts of ${path.posix.join(extension, 'package.json')}`, () => {
    const { displayName, description, capabilities, contributes } = read('package.json');
    const strings = shownStrings({ displayName, description, capabilities, contributes });

    it('are keys of package.nls.json, all of them', () => {
      assert.deepEqual(
        strings.filter(([, value]) => nlsKey(value) === undefined),
        [],
      );
      const used = new Set(strings.map(([, value]) => nlsKey(value)));
      assert.deepEqual(used, new Set(Object.keys(english)));
    });

    const languages = readdirSync(folder).flatMap((name) => /^package\.nls\.([\w-]+)\.json$/.exec(name)?.[1] ?? []);
    it('are there in German', () => assert.deepEqual(languages, ['de']));

    for (const language of languages) {
      describe(`in package.nls.${language}.json`, () => {
        const translated = read(`package.nls.${language}.json`) as Readonly<Record<string, string>>;

        it('are complete, in the same order', () => {
          assert.deepEqual(Object.keys(translated), Object.keys(english));
          assert.deepEqual(
            Object.keys(translated).filter((key) => !translated[key]?.trim()),
            [],
          );
        });

        it('keep code, settings and links', () => {
          for (const [key, text] of Object.entries(english)) {
            assert.deepEqual(unchangedParts(translated[key] ?? ''), unchangedParts(text), key);
          }
        });

        it('name commands as their titles do', () => {
          for (const [key, text] of Object.entries(translated)) {
            for (const [, label = '', command] of text.matchAll(/\[([^\]]+)\]\(command:([\w.]+)\)/g)) {
              // "Open Chat" in the walkthrough is another name on purpose.
              if (command === 'openAgent.focusChat') continue;
              const title = translated[`command.${command}.title`] ?? '';
              assert.equal(label.replace('…', ''), title.replace('…', ''), key);
            }
          }
        });

        it('have the pages of the walkthrough', () => {
          const pages = JSON.stringify(contributes).match(/media\/walkthrough\/\w+\.md/g) ?? [];
          const missing = pages.filter(
            (page) => !existsSync(path.join(folder, page.replace(/\.md$/, `.nls.${language}.md`))),
          );
          assert.deepEqual(missing, []);
        });
      });
    }
  });
}
