import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds wrong with the page, as `rule: elements`. It checks all its rules, best practices included,
 * without the few for whole sites: a panel is a part of VS Code's page.
 */
export async function accessibilityProblems(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(async () => {
    const partOfAPage = Object.fromEntries(
      ['region', 'landmark-one-main', 'page-has-heading-one', 'bypass', 'document-title'].map((id) => [
        id,
        { enabled: false },
      ]),
    );
    const { violations } = await axe.run(document, { rules: partOfAPage, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}
