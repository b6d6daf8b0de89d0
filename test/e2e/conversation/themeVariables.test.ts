import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { useChatWindow } from '../../support/window/chatWindow';
import fixture from '../../webview/support/themes.json';

const source = path.join(projectRoot, 'src/webview');

/** The variables of VS Code in the styles of the panel. */
function usedVariables(): readonly string[] {
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const found = sheets.flatMap((file) => readFileSync(path.join(source, file), 'utf8').match(/--vscode-[\w-]+/g) ?? []);
  return [...new Set(found)].toSorted();
}

interface Page {
  readonly getComputedStyle: (element: unknown) => { getPropertyValue(name: string): string };
}

describe('the colours with which the panel is drawn in tests', () => {
  const window = useChatWindow({ files: { 'a.txt': 'one\n' } });

  for (const [theme, name, rootClass] of [
    ['dark', 'dark', 'vscode-dark'],
    ['light', 'light', 'vscode-light'],
    ['highContrast', 'high-contrast', 'vscode-high-contrast:not(.vscode-high-contrast-light)'],
    ['highContrastLight', 'high-contrast-light', 'vscode-high-contrast-light'],
  ] as const) {
    it(`are those of VS Code: ${name}`, async () => {
      await window.newSession();
      await window.workbench.setTheme(theme);
      await window.panel.locator(`body.${rootClass}`).waitFor();
      const read = (): Promise<readonly (readonly [string, string])[]> =>
        window.panel.locator('html').evaluate(
          (element, names) =>
            names.flatMap((each) => {
              const style = (globalThis as unknown as Page).getComputedStyle(element);
              const value = style.getPropertyValue(each).trim();
              return value === '' ? [] : [[each, value] as const];
            }),
          usedVariables(),
        );
      const known: Readonly<Record<string, string>> = fixture[name];
      assert.deepEqual(
        Object.fromEntries(await read()),
        Object.fromEntries(usedVariables().flatMap((each) => (each in known ? [[each, known[each]]] : []))),
      );
    });
  }
});
