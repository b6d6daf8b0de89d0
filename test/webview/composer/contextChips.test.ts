import assert from 'node:assert/strict';
import type { ContextChip } from '../../../src/agent/view/prompt/contextChip';
import { accessibilityProblems } from '../support/accessibility';
import { prompt, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import type { WebviewPage } from '../support/webviewPage';

const cart: ContextChip = {
  written: '@src/cart.ts:3-9',
  kind: 'file',
  label: 'src/cart.ts:3-9',
  part: 'lines 3-9 of 200',
  tokens: 1_234,
};
const secret: ContextChip = { written: '@.env', kind: 'file', label: '.env', isAsked: true };
const offer = { written: '@src/app.ts:12-40', label: 'app.ts:12-40', isSelection: true };

describe('context above the field for messages', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: WebviewPage) => panel.page.getByLabel('Message to Open Agent');
  const chips = (panel: WebviewPage) =>
    panel.page.getByRole('list', { name: 'Goes with the message' }).getByRole('listitem');
  const button = (panel: WebviewPage, name: string) => panel.page.getByRole('button', { name, exact: true });
  const words = async (panel: WebviewPage) =>
    (await chips(panel).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));

  it('shows name, lines and tokens of what the text names, and a button takes it out of the text', async () => {
    const panel = await webview.open({ width: 260 });
    await panel.snapshot(view([prompt('Hi')]));
    await field(panel).fill('Fix @src/cart.ts:3-9, with @.env please');
    assert.deepEqual((await panel.intent('followMentions')).mentions, ['@src/cart.ts:3-9', '@.env']);
    await panel.send({ type: 'context_changed', chips: [cart, secret] });
    assert.deepEqual(await words(panel), ['cart.ts:3-9 lines 3-9 of 200, 1.2k tokens', '.env asks first']);
    await panel.screenshot('context-chips-260');
    await button(panel, 'Remove .env').click();
    assert.equal(await field(panel).inputValue(), 'Fix @src/cart.ts:3-9, with please');
    assert.deepEqual(await words(panel), ['cart.ts:3-9 lines 3-9 of 200, 1.2k tokens']);
    assert.ok(await field(panel).evaluate((element) => element === document.activeElement));
    await panel.page.getByRole('button', { name: 'cart.ts:3-9 lines 3-9 of 200' }).click();
    assert.deepEqual(await panel.intent('openFile'), { type: 'openFile', path: 'src/cart.ts', line: 3 });
  });

  it('says why something cannot be sent', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, {}, 'See @a.bin');
    await panel.send({
      type: 'context_changed',
      chips: [{ written: '@a.bin', kind: 'file', label: 'a.bin', problem: 'a.bin is a binary file.' }],
    });
    assert.deepEqual(await words(panel), ['a.bin cannot be sent']);
    assert.equal(await chips(panel).getAttribute('title'), 'a.bin: a.bin is a binary file.');
  });

  it('says why only the name of an image goes along', async () => {
    const panel = await webview.open({ width: 260 });
    await panel.snapshot(undefined, {}, 'See @shot.png');
    const nameOnly = 'Images are not sent: qwen3-8b takes none.';
    await panel.send({
      type: 'context_changed',
      chips: [{ written: '@shot.png', kind: 'image', label: 'shot.png', tokens: 30, nameOnly }],
    });
    assert.deepEqual(await words(panel), ['shot.png image not sent']);
    assert.equal(await chips(panel).getAttribute('title'), `shot.png: ${nameOnly}`);
    await panel.page.getByRole('status').getByText(nameOnly).waitFor();
    assert.deepEqual(await accessibilityProblems(panel.page), []);
  });

  it('offers the selection, which goes along only after a click or a key', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]));
    await panel.send({ type: 'context_changed', chips: [], offer });
    await field(panel).fill('What');
    await field(panel).press('Enter');
    assert.equal((await panel.intent('submitPrompt')).text, 'What');
    await panel.snapshot(view([prompt('Hi'), prompt('What')]));
    assert.equal(await field(panel).inputValue(), '');
    await button(panel, 'Add the selection, app.ts:12-40').focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await field(panel).inputValue(), '@src/app.ts:12-40 ');
    // The name is complete: no list takes the Enter that sends.
    await panel.send({ type: 'files_found', typed: '', names: ['src/app.ts'] });
    assert.equal(await panel.page.getByRole('option').count(), 0);
    assert.equal(await button(panel, 'Add the selection, app.ts:12-40').count(), 0);
    assert.ok(await field(panel).evaluate((element) => element === document.activeElement));
  });

  const rules = { id: 'AGENTS.md', label: 'AGENTS.md', tokens: 320 };
  const skills = { id: 'skills', label: '2 skills', tokens: 90 };
  const instructions = [rules, { ...skills, isOff: true }];

  it('begins with the instructions of the project before the first message, which a key switches off', async () => {
    const panel = await webview.open({ width: 260 });
    await panel.snapshot(undefined);
    await panel.send({ type: 'context_changed', chips: [], instructions, instructionsOff: ['skills'], offer });
    assert.deepEqual(await words(panel), ['AGENTS.md 320 tokens', '2 skills left out', 'app.ts:12-40']);
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await panel.page.getByRole('button', { name: 'AGENTS.md 320 tokens', pressed: true }).press('Enter');
    assert.deepEqual(await panel.intent('switchInstruction'), {
      type: 'switchInstruction',
      id: 'AGENTS.md',
      isOn: false,
    });
    await panel.page.getByRole('button', { name: '2 skills left out', pressed: false }).click();
    const switched = (await panel.intents()).filter(({ type }) => type === 'switchInstruction');
    assert.deepEqual(switched.at(-1), { type: 'switchInstruction', id: 'skills', isOn: true });
    await panel.snapshot(view([prompt('Hi')]));
    await panel.send({ type: 'context_changed', chips: [], instructions, instructionsOff: ['skills'] });
    // The session has no skills, so they can still be switched on. `AGENTS.md` was not there when it began.
    assert.deepEqual(await words(panel), ['2 skills left out']);
    await panel.page.getByRole('button', { name: '2 skills left out' }).click();
    assert.deepEqual(await panel.intent('switchInstruction'), { type: 'switchInstruction', id: 'skills', isOn: true });
    await panel.send({ type: 'context_changed', chips: [], instructions: [rules, skills], instructionsOff: [] });
    assert.deepEqual(await words(panel), ['2 skills 90 tokens']);
    const sent = { ...prompt('Go on'), instructions: [skills] };
    await panel.snapshot(view([prompt('Hi'), sent]));
    assert.deepEqual(await words(panel), []);
  });

  it('shows the instructions that went with a message, and switches them off there', async () => {
    const panel = await webview.open();
    const sent = { ...prompt('Hi'), contextLabels: ['AGENTS.md', 'AGENTS.md'], instructions: instructions.slice(0, 1) };
    await panel.snapshot(view([sent]));
    await panel.send({ type: 'context_changed', chips: [], instructions, instructionsOff: [] });
    const attached = panel.page.getByRole('list', { name: 'Attached' }).getByRole('listitem');
    const shown = async () => (await attached.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await attached.nth(1).waitFor();
    assert.deepEqual(await shown(), ['AGENTS.md 320 tokens', 'AGENTS.md']);
    await panel.page.getByRole('button', { name: 'AGENTS.md 320 tokens' }).click();
    assert.equal((await panel.intent('switchInstruction')).isOn, false);
    await panel.send({ type: 'context_changed', chips: [], instructions: [], instructionsOff: ['AGENTS.md'] });
    assert.deepEqual(await shown(), ['AGENTS.md left out', 'AGENTS.md']);
    assert.deepEqual(await accessibilityProblems(panel.page), []);
  });

  it('is one row with the images', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, { models: [{ id: 'qwen3-8b', hasVision: true }] }, 'See @src/cart.ts:3-9');
    await panel.send({ type: 'context_changed', chips: [cart], instructions: instructions.slice(0, 1), offer });
    const image = {
      hash: 'a'.repeat(64),
      mediaType: 'image/png',
      size: 9,
      width: 60,
      height: 40,
      name: 'shot.png',
    } as const;
    await panel.send({ type: 'images_attached', images: [image] });
    assert.deepEqual(await words(panel), [
      'AGENTS.md 320 tokens',
      'cart.ts:3-9 lines 3-9 of 200, 1.2k tokens',
      'shot.png 60 × 40, about 64 tokens',
      'app.ts:12-40',
    ]);
    const names = await panel.page
      .locator('.chips button')
      .evaluateAll((buttons) =>
        buttons.map((each) => each.getAttribute('aria-label') ?? each.textContent?.replace(/\s+/g, ' ').trim()),
      );
    assert.deepEqual(names, [
      'AGENTS.md 320 tokens',
      'cart.ts:3-9 lines 3-9 of 200, 1.2k tokens',
      'Remove cart.ts:3-9',
      'Remove shot.png',
      'Add the selection, app.ts:12-40',
    ]);
  });

  it('asks again after a reload, with the kept text', async () => {
    const panel = await webview.open();
    await panel.snapshot(undefined, {}, 'Fix @src/cart.ts:3-9 ');
    assert.deepEqual((await panel.intent('followMentions')).mentions, ['@src/cart.ts:3-9']);
  });

  it('lists other context and open editors before files', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]));
    await field(panel).pressSequentially('@');
    await panel.send({ type: 'files_found', typed: '', names: ['a.ts', 'b.ts'], open: ['b.ts'] });
    const options = await panel.page.getByRole('option').allInnerTexts();
    assert.equal(options[0], '@selection The lines selected in the editor');
    assert.deepEqual(options.slice(-2), ['@b.ts open', '@a.ts']);
  });

  const drop = (panel: WebviewPage, data: Readonly<Record<string, string>>, files: readonly [string, string][] = []) =>
    panel.page.evaluate(
      ({ texts, named }) => {
        const dataTransfer = new DataTransfer();
        for (const [type, text] of Object.entries(texts)) dataTransfer.setData(type, text);
        for (const [name, text] of named) dataTransfer.items.add(new File([text], name));
        const target = document.querySelector('.composer-field')!;
        for (const type of ['dragover', 'drop'])
          target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      { texts: data, named: files },
    );

  it('takes files, folders and tabs that are dropped, by their addresses', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]));
    await drop(panel, { 'text/uri-list': '# two\r\nfile:///w/a.ts\r\nvscode-remote://localhost:8080/w/docs\r\n' });
    assert.deepEqual(await panel.intent('addUris'), {
      type: 'addUris',
      uris: ['file:///w/a.ts', 'vscode-remote://localhost:8080/w/docs'],
    });
    assert.equal(await panel.page.locator('body.is-drop-target').count(), 0);
  });

  it('takes text files without an address with their content, and says which it does not take', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]));
    await drop(panel, {}, [
      ['notes.txt', 'one\n'],
      ['a.bin', 'a\0b'],
    ]);
    assert.deepEqual(await panel.intent('addPasted'), { type: 'addPasted', name: 'notes.txt', text: 'one\n' });
    await panel.page.getByRole('alert').getByText('Not added: a.bin.', { exact: false }).waitFor();
  });

  it('counts the instructions of the project that go with a message', async () => {
    const panel = await webview.open();
    const models = [{ id: 'qwen3-8b', contextWindow: 8_000 }];
    const long = { ...rules, tokens: 800 };
    const note = async () => (await panel.page.locator('.fit-note').allInnerTexts()).join(' ');
    await panel.snapshot(undefined, { models }, 'word '.repeat(5_200));
    await panel.send({ type: 'context_changed', chips: [], instructions: [{ ...long, isOff: true }] });
    assert.doesNotMatch(await note(), /does not fit/);
    await panel.send({ type: 'context_changed', chips: [], instructions: [long] });
    assert.match(await note(), /does not fit: it has about 7\.3k tokens with what goes along/);
  });

  it('says before it is sent that the message does not fit with its context, and removes what is too much', async () => {
    const panel = await webview.open({ width: 300 });
    const sections = { system: 700, tools: 1_300, instructions: 0, files: 0, conversation: 0, results: 0 };
    const context = { tokens: 2_000, isEstimate: true, window: 16_384, sections };
    await panel.snapshot(view([prompt('Hi')], { context }));
    await field(panel).fill('See @big.ts and @src/cart.ts:3-9');
    const big: ContextChip = { written: '@big.ts', kind: 'file', label: 'big.ts', tokens: 13_000 };
    await panel.send({ type: 'context_changed', chips: [big, cart] });
    assert.equal(
      (await panel.page.locator('.fit-note').first().innerText()).trim(),
      'This message does not fit: it has about 14k tokens with what goes along, and the model holds 16k. Remove big.ts (13k) to make it fit.',
    );
    await panel.screenshot('context-does-not-fit');
    await button(panel, 'Remove It').click();
    assert.equal(await field(panel).inputValue(), 'See and @src/cart.ts:3-9');
    assert.equal(await panel.page.locator('.fit-note').count(), 0);
  });
});
