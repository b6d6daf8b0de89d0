import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { giveFiles } from '../../support/images/giveImages';
import { pngOf } from '../../support/images/sampleImages';
import { createGate } from '../../support/servers/modelServer';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

describe('images of a prompt in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'a.txt': 'a\n' },
    modelServer: { models: ['seeing-7b', 'other-7b'] },
    settings: { 'openAgent.model': 'seeing-7b', 'openAgent.modelOptions': { 'seeing*': { images: true } } },
  });
  const chat = new Chat(() => window.workbench);
  const shown = () => window.panel.locator('canvas[data-state="shown"]');
  const red = { name: 'red.png', type: 'image/png', bytes: pngOf(1_600, 900) };
  const blue = { name: 'blue.png', type: 'image/png', bytes: pngOf(300, 200, [20, 40, 200]) };

  before(async () => {
    await chat.show();
    await chat.untilModel('seeing-7b');
  });

  it('are pasted and dropped, survive a reload of the window, and reach the model', async () => {
    await giveFiles(chat.composer, 'paste', [red]);
    await shown().first().waitFor();
    await giveFiles(chat.composer, 'drop', [blue]);
    await shown().nth(1).waitFor();
    await chat.composer.fill('Which colours?');
    await window.workbench.screenshot('e2e-images-attached');
    await window.workbench.reload();
    await chat.show();
    await chat.untilModel('seeing-7b');
    await shown().nth(1).waitFor();
    assert.equal(await chat.composer.inputValue(), 'Which colours?');

    window.expect({ text: 'Red and blue.' }, { text: 'Sure.' });
    await chat.composer.press('Enter');
    await window.untilAnswered('Red and blue.');
    const content: unknown = (await window.request(1)).body.messages.at(-1)?.content;
    assert.ok(Array.isArray(content));
    const parts = content as readonly { readonly type: string; readonly image_url?: { readonly url: string } }[];
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['image_url', 'image_url', 'text'],
    );
    const [first = ''] = parts.map(({ image_url: image }) => image?.url ?? '');
    const sent = Buffer.from(first.split(',')[1] ?? '', 'base64');
    assert.deepEqual([sent.readUInt32BE(16), sent.readUInt32BE(20)], [1_280, 720]);
    await window.panel.locator('.sent-image canvas[data-state="shown"]').nth(1).waitFor();
    assert.equal(await window.panel.locator('.image-chip').count(), 0);
    await window.workbench.screenshot('e2e-images-sent');

    await chat.send('Sure?');
    await window.untilAnswered('Sure.');
    const before = JSON.stringify((await window.request(1)).body.messages);
    const after = JSON.stringify((await window.request(2)).body.messages);
    assert.ok(after.startsWith(before.slice(0, -1)), 'the same bytes in each request');
  });

  it('are picked from the disk of the person', async () => {
    await window.newSession();
    const chooser = window.workbench.page.waitForEvent('filechooser');
    await chat.button('Attach Images…').click();
    await (await chooser).setFiles([{ name: blue.name, mimeType: blue.type, buffer: blue.bytes }]);
    await shown().first().waitFor();
    await window.panel.getByRole('list', { name: 'Goes with the message' }).getByText('blue.png').waitFor();
    await chat.button('Remove blue.png').click();
    await shown().first().waitFor({ state: 'detached' });
  });

  it('are not sent to a model that may not take them, and say so', async () => {
    await giveFiles(chat.composer, 'paste', [blue]);
    await shown().last().waitFor();
    await window.panel.locator('.image-chip').waitFor();
    await chat.button('Model: seeing-7b').click();
    await window.panel.getByRole('menuitemradio', { name: /other-7b/ }).click();
    await window.panel.getByText('the server does not say whether other-7b takes them', { exact: false }).waitFor();
    await window.workbench.screenshot('e2e-images-not-taken');
    window.expect({ text: 'Hello.' });
    await chat.send('Hi');
    await window.untilAnswered('Hello.');
    assert.doesNotMatch(String((await window.request(1)).body.messages.at(-1)?.content), /image_url/);
    await window.panel.locator('.image-chip').waitFor();
    await chat.button('Remove blue.png').click();
    await window.panel.locator('.image-chip').waitFor({ state: 'detached' });
  });

  it('are named with @ in the message, and go along as images only where the model takes them', async () => {
    await writeFile(path.join(window.folder, 'shot.png'), pngOf(120, 80));
    const chip = window.panel.getByRole('list', { name: 'Goes with the message' }).getByText('shot.png');
    const words = () => window.panel.getByRole('list', { name: 'Goes with the message' }).innerText();
    await chat.composer.fill('What is in @shot.png ');
    await chip.waitFor();
    await window.panel.getByText('the server does not say whether other-7b takes them', { exact: false }).waitFor();
    assert.match(await words(), /image not sent/);
    await window.workbench.screenshot('e2e-images-named-not-sent');
    window.expect({ text: 'I cannot see it.' });
    await chat.composer.press('Enter');
    await window.untilAnswered('I cannot see it.');
    assert.match(
      String((await window.request(1)).body.messages.at(-1)?.content),
      /The image itself is not in this message:\n```\nshot\.png \(image\/png, 120 × 80 pixels\):\n```\n\nWhat is in @shot\.png$/,
    );
    await chat.button('Model: other-7b').click();
    await window.panel.getByRole('menuitemradio', { name: /seeing-7b/ }).click();
    await chat.untilModel('seeing-7b');
    await chat.composer.fill('And now in @shot.png ');
    await window.workbench.until('the chip has the tokens of the image', async () => /\d+ tokens/.test(await words()));
    await window.workbench.screenshot('e2e-images-named');
    window.expect({ text: 'Red.' });
    await chat.composer.press('Enter');
    await window.untilAnswered('Red.');
    const content: unknown = (await window.request(1)).body.messages.at(-1)?.content;
    assert.ok(Array.isArray(content));
    const parts = content as readonly { readonly type: string; readonly image_url?: { readonly url: string } }[];
    const url = parts.find(({ type }) => type === 'image_url')?.image_url?.url ?? '';
    assert.deepEqual(Buffer.from(url.split(',')[1] ?? '', 'base64'), pngOf(120, 80));
    await window.panel.locator('.sent-image canvas[data-state="shown"]').last().waitFor();

    // A large one is scaled by the panel, and its chip says so many tokens as are sent.
    await writeFile(path.join(window.folder, 'large.png'), pngOf(2_560, 1_440));
    await chat.composer.fill('And in @large.png ');
    await window.workbench.until('the chip has its tokens', async () =>
      /large\.png\s+1\.2k tokens/.test(await words()),
    );
    window.expect({ text: 'Red as well.' });
    await chat.composer.press('Enter');
    await window.untilAnswered('Red as well.');
    const newest: unknown = (await window.request(1)).body.messages.at(-1)?.content;
    assert.ok(Array.isArray(newest));
    const large = (newest as typeof parts).find(({ type }) => type === 'image_url')?.image_url?.url ?? '';
    const sent = Buffer.from(large.split(',')[1] ?? '', 'base64');
    assert.deepEqual([sent.readUInt32BE(16), sent.readUInt32BE(20)], [1_280, 720]);
  });

  it('are scaled down when the model reads a file, and sent as they are while no panel is open', async () => {
    await writeFile(path.join(window.folder, 'read.png'), pngOf(2_000, 1_000));
    const sizeSent = async (): Promise<readonly number[]> => {
      const body = JSON.stringify((await window.request(2)).body.messages.slice(-2));
      const [, base64 = ''] = /data:image\/png;base64,([^"]+)/.exec(body) ?? [];
      const sent = Buffer.from(base64, 'base64');
      return [sent.readUInt32BE(16), sent.readUInt32BE(20)];
    };
    const readIt = { toolCalls: [{ name: 'read_file', arguments: { path: 'read.png' } }] };
    await window.newSession();
    await window.ask('Look at it', readIt, { text: 'Red.' });
    await window.untilAnswered('Red.');
    assert.deepEqual(await sizeSent(), [1_280, 640]);
    await window.workbench.screenshot('e2e-images-read');

    const gate = createGate();
    await window.ask('And again', { text: ['Well.', gate], ...readIt }, { text: 'Still red.' });
    await gate.reached;
    await window.workbench.hideChat();
    gate.open();
    assert.deepEqual(await sizeSent(), [2_000, 1_000]);
    await chat.show();
    await window.untilAnswered('Still red.');
  });

  it('of earlier messages make room first when the window of the model is full, which the panel says', async () => {
    await window.workbench.updateSettings({ 'openAgent.contextWindow': 4_096 });
    await chat.show();
    await window.newSession();
    const usage = (promptTokens: number) => ({ usage: { promptTokens, completionTokens: 2 } });
    window.expect({ text: 'It is red.', ...usage(2_000) }, { text: 'Red too.', ...usage(2_050) });
    for (const [text, said] of [
      ['And this?', 'It is red.'],
      ['And that?', 'Red too.'],
    ] as const) {
      await giveFiles(chat.composer, 'paste', [red]);
      await window.panel.locator('.image-chip').waitFor();
      await chat.composer.fill(text);
      await chat.composer.press('Enter');
      await window.untilAnswered(said);
    }
    await chat.notices
      .getByText('Earlier images are no longer sent to the model, to make room in its context window. Here they stay.')
      .waitFor();
    await window.panel.locator('.sent-image canvas[data-state="shown"]').nth(1).waitFor();
    await window.workbench.screenshot('e2e-images-dropped');
    const users = (await window.request(2)).body.messages.filter(({ role }) => role === 'user');
    assert.equal(users[0]?.content, '[An image was here. It was left out to fit the context window.]\n\nAnd this?');
    assert.match(JSON.stringify(users[1]?.content), /image_url.*And that\?/);
    await window.workbench.updateSettings({ 'openAgent.contextWindow': undefined });
  });
});
