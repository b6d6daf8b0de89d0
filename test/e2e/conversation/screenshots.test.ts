import assert from 'node:assert/strict';
import { copyFile, stat, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { useChatWindow } from '../../support/window/chatWindow';
import type { Turn } from '../../support/servers/modelServer';

const order = `import { hasExpired, type Coupon } from './coupon';
import { priceOf, type Item } from './item';
import { sumOf } from './math';

export interface Order {
  readonly id: string;
  readonly items: readonly Item[];
  readonly coupon?: Coupon;
}

/** What the customer pays, in cents. */
export function totalOf(order: Order): number {
  const sum = sumOf(order.items.map(priceOf));
  const { percent } = order.coupon;
  return sum - Math.round((sum * percent) / 100);
}

/** One line for the receipt. */
export function couponLine({ coupon }: Order) {
  if (!coupon) return 'No coupon';
  if (hasExpired(coupon)) return 'Expired coupon';
  return \`\${coupon.code}: \${coupon.percent} % off\`;
}

export function isFree(order: Order): boolean {
  return totalOf(order) === 0;
}
`;

const coupon = `export interface Coupon {
  readonly code: string;
  readonly percent: number;
  readonly expires: Date;
}

export function hasExpired(coupon: Coupon): boolean {
  return coupon.expires < new Date();
}
`;

const item = `export interface Item {
  readonly name: string;
  readonly price: number;
  readonly quantity: number;
}

export function priceOf(item: Item): number {
  return item.price * item.quantity;
}
`;

const math = `export function sumOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
`;

const oldText = `  const { percent } = order.coupon;
  return sum - Math.round((sum * percent) / 100);
}
`;
const newText = `  return sum - discount(sum, order.coupon);
}

function discount(sum: number, coupon?: Coupon) {
  if (!coupon || hasExpired(coupon)) return 0;
  return Math.round((sum * coupon.percent) / 100);
}
`;

const question = 'Why does the type check fail?';
const explanation: readonly Turn[] = [
  {
    thinking: 'The type check itself says where it fails. Then I look at that file.',
    text: 'Let me run it.',
    toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'npx tsc --noEmit' } }],
    usage: { promptTokens: 1312, completionTokens: 74 },
  },
  {
    toolCalls: [{ name: 'read_file', arguments: { path: 'src/order.ts' } }],
    usage: { promptTokens: 1466, completionTokens: 31 },
  },
  {
    text: [
      'A coupon is **optional** now:',
      '',
      '- `couponLine` checks for it.',
      '- `totalOf` takes it for granted, in line 14:',
      '',
      '```ts',
      'const { percent } = order.coupon;',
      '```',
    ].join('\n'),
    usage: { promptTokens: 1890, completionTokens: 68 },
  },
];

const task = 'Fix it. Expired coupons should take nothing off either.';
const work: Turn = {
  text: 'Both go into a function that says what a coupon takes off:',
  toolCalls: [
    { name: 'apply_edit', arguments: { path: 'src/order.ts', edits: [{ old_text: oldText, new_text: newText }] } },
  ],
  usage: { promptTokens: 1990, completionTokens: 212 },
};

/** The properties that the tests read of a panel element. This compilation has no DOM types. */
interface PanelElement {
  readonly localName: string;
  readonly className: string;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  readonly ownerDocument: { readonly defaultView: { readonly innerWidth: number } };
  getBoundingClientRect(): { readonly left: number; readonly right: number; readonly width: number };
  closest(selector: string): unknown;
}

describe('the appearance of the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/order.ts': order,
      'src/coupon.ts': coupon,
      'src/item.ts': item,
      'src/math.ts': math,
      'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, target: 'es2022' }, include: ['src'] }),
    },
    modelServer: { models: ['qwen3-coder-30b-a3b'] },
    settings: {
      'breadcrumbs.enabled': false,
      'diffEditor.renderGutterMenu': false,
      'diffEditor.renderSideBySideInlineBreakpoint': 600,
      'editor.fontSize': 12,
      'editor.glyphMargin': false,
      'editor.lineHeight': 22,
      'editor.scrollbar.horizontal': 'hidden',
      'editor.scrollBeyondLastLine': false,
      'window.commandCenter': false,
      'window.title': 'webshop',
      'workbench.layoutControl.enabled': false,
    },
    // The picture must not depend on the npm settings of the machine.
    env: { npm_config_userconfig: os.devNull },
  });

  const widthOfPanel = () =>
    window.panel.locator('body').evaluate((body) => {
      return (body as unknown as PanelElement).ownerDocument.defaultView.innerWidth;
    });

  /** Drags the border of the side bar. */
  const widenPanel = async (pixels: number): Promise<void> => {
    const { page } = window.workbench;
    const box = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box);
    const from = { x: box.x + box.width, y: box.y + box.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + pixels, from.y, { steps: 4 });
    await page.mouse.up();
    // Moves the pointer to an empty part of the status bar.
    await page.mouse.move(700, 890);
  };

  const setPanelWidth = (width: number): Promise<void> =>
    window.workbench.until(`the panel is ${width} pixels wide`, async () => {
      const missing = width - (await widthOfPanel());
      if (missing !== 0) await widenPanel(missing);
      return missing === 0;
    });

  /** Elements that reach out of the panel or are cut off, except those with an ellipsis or a scroll bar of their own. */
  const overflowing = () =>
    window.panel.locator('body, body *').evaluateAll((elements) =>
      (elements as unknown as readonly PanelElement[])
        .filter((element) => element.closest('.visually-hidden, .table-scroll, [title]') === null)
        .filter((element) => {
          const { left, right, width } = element.getBoundingClientRect();
          const isOutside = width > 0 && (left < -0.5 || right > element.ownerDocument.defaultView.innerWidth + 0.5);
          return isOutside || (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1);
        })
        .map(({ localName, className }) => `${localName}.${className}`),
    );

  const newestOnScreen = () => window.button('Accept').scrollIntoViewIfNeeded();

  before(async () => {
    await symlink(path.join(projectRoot, 'node_modules'), path.join(window.folder, 'node_modules'), 'junction');
    await window.workbench.setTheme('dark');
    await window.ask(question, ...explanation);
    await window.button('Run').click();
    await window.panel.locator('.hljs-keyword').first().waitFor();
    await window.untilIdle();
    window.server.script(work);
    const composer = window.panel.getByLabel('Message to Open Agent');
    await composer.fill(task);
    await composer.press('Enter');
    await window.button('Accept').waitFor();
    await window.workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
  });

  it('shows the panel beside the proposed edit', async () => {
    await setPanelWidth(450);
    await newestOnScreen();
    // Over nothing that shows a text when the pointer rests there.
    await window.workbench.page.mouse.move(700, 800);
    await window.workbench.page.locator('.workbench-hover').waitFor({ state: 'hidden' });
    const picture = await window.workbench.screenshot('window');
    assert.deepEqual(await overflowing(), []);
    assert.match((await window.request(2)).body.messages.at(-1)?.content ?? '', /order\.ts\(14,11\): error TS2339/);
    if (process.env['UPDATE_SCREENSHOT'] === '1') {
      const published = path.join(projectRoot, 'media', 'screenshot.png');
      await copyFile(picture, published);
      assert.ok((await stat(published)).size < 250_000, 'The picture in the README is to stay below 250 kB.');
    }
  });

  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const) {
    for (const width of [300, 700]) {
      it(`clips nothing in the theme ${theme}, ${width} pixels wide`, async () => {
        await window.workbench.setTheme(theme);
        await setPanelWidth(width);
        await newestOnScreen();
        await window.workbench.screenshot(`panel-${theme}-${width}`);
        assert.deepEqual(await overflowing(), []);
      });
    }
  }
});
