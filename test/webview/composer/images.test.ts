import assert from 'node:assert/strict';
import type { ShownImage, ViewItem } from '../../../src/agent/view/sessionView';
import { readImageHeader } from '../../../src/util/images/imageHeader';
import { giveFiles } from '../../support/images/giveImages';
import { dataUrl, pngOf, pngStart } from '../../support/images/sampleImages';
import { accessibilityProblems } from '../support/accessibility';
import { prompt, sessionId, view } from '../support/sessions';
import { useWebview } from '../support/useWebview';
import { readyPanel, type WebviewPage } from '../support/webviewPage';

const small = pngOf(60, 40);
const file = { name: 'shot.png', type: 'image/png', bytes: small };
const image: ShownImage = {
  hash: 'a'.repeat(64),
  mediaType: 'image/png',
  size: small.length,
  width: 60,
  height: 40,
  name: 'shot.png',
};
const seeing = { models: [{ id: 'qwen3-8b', contextWindow: 32_768, hasVision: true }] };
const blind = { models: [{ id: 'qwen3-8b', contextWindow: 32_768, hasVision: false }] };

describe('images above the field for messages', function () {
  this.timeout(120_000);
  const webview = useWebview();
  const field = (panel: WebviewPage) => panel.page.getByLabel('Message to Open Agent');
  const button = (panel: WebviewPage, name: string) => panel.page.getByRole('button', { name, exact: true });
  const chips = (panel: WebviewPage) =>
    panel.page.getByRole('list', { name: 'Goes with the message' }).getByRole('listitem');

  for (const way of ['paste', 'drop', 'pick'] as const) {
    it(`are attached by ${way}, and sent with the message`, async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hi')]), seeing);
      if (way !== 'pick') await giveFiles(field(panel), way, [file]);
      else {
        const chooser = panel.page.waitForEvent('filechooser');
        await button(panel, 'Attach Images…').click();
        await (await chooser).setFiles([{ name: file.name, mimeType: file.type, buffer: small }]);
      }
      const attached = await panel.intent('attachImage');
      assert.equal(attached.name, 'shot.png');
      const bytes = Buffer.from(attached.image.split(',')[1] ?? '', 'base64');
      assert.deepEqual(readImageHeader(bytes), {
        ok: true,
        header: { mediaType: 'image/png', width: 60, height: 40 },
      });
      await panel.send({ type: 'images_attached', images: [image], isAnswer: true });
      assert.deepEqual(await panel.intent('findImage'), { type: 'findImage', hash: image.hash });
      await panel.send({ type: 'image_found', hash: image.hash, image: dataUrl(small) });
      await panel.page.locator('canvas[data-state="shown"]').waitFor();
      assert.match((await chips(panel).allInnerTexts()).join(' '), /shot\.png\s+60 × 40, about 64 tokens/);
      assert.deepEqual(await accessibilityProblems(panel.page), []);
      await panel.screenshot(`images-${way}`);
      await field(panel).fill('What is it?');
      await field(panel).press('Enter');
      const sent = await panel.intent('submitPrompt');
      assert.deepEqual(sent, { type: 'submitPrompt', sessionId, text: 'What is it?', images: [image.hash] });
    });
  }

  it('can be sent without words, and removed with the keyboard', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([prompt('Hi')]), seeing);
    await panel.send({ type: 'images_attached', images: [image] });
    await button(panel, 'Remove shot.png').press('Enter');
    assert.deepEqual(await panel.intent('detachImage'), { type: 'detachImage', hash: image.hash });
    assert.ok(await field(panel).evaluate((element) => element === document.activeElement));
    await field(panel).press('Enter');
    assert.deepEqual(await panel.intent('submitPrompt'), {
      type: 'submitPrompt',
      sessionId,
      text: '',
      images: [image.hash],
    });
  });

  it('are scaled down to what models need', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]), seeing);
    await giveFiles(field(panel), 'paste', [{ ...file, bytes: pngOf(3_000, 1_500) }]);
    const { image: url } = await panel.intent('attachImage');
    const read = readImageHeader(Buffer.from(url.split(',')[1] ?? '', 'base64'));
    assert.deepEqual(read.ok && [read.header.width, read.header.height], [1_280, 640]);
  });

  it('wait for each other: a message that is sent at once has them', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]), seeing);
    await field(panel).fill('Look');
    await giveFiles(field(panel), 'paste', [file]);
    await field(panel).press('Enter');
    await panel.intent('attachImage');
    // The host has removed another image meanwhile.
    await panel.send({ type: 'images_attached', images: [] });
    await panel.send({ type: 'images_attached', images: [image], isAnswer: true });
    const sent = await panel.intent('submitPrompt');
    assert.deepEqual(sent.images, [image.hash]);
  });

  for (const way of ['paste', 'drop'] as const) {
    it(`are attached by ${way} beside the field, too`, async () => {
      const panel = await webview.open();
      await panel.snapshot(view([prompt('Hi')]), seeing);
      await giveFiles(panel.page.getByRole('region', { name: 'Conversation' }), way, [file]);
      assert.equal((await panel.intent('attachImage')).name, 'shot.png');
    });
  }

  it('are not taken from a clipboard that has them for its text', async () => {
    const panel = await webview.open();
    await panel.snapshot(view([]), seeing);
    const isTaken = (text: string) =>
      field(panel).evaluate((target, copied) => {
        const data = new DataTransfer();
        data.setData('text/plain', copied);
        data.items.add(new File(['x'], 'shot.png', { type: 'image/png' }));
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        return event.defaultPrevented;
      }, text);
    assert.equal(await isTaken('cells\tof a table'), false);
    // Some systems copy a file with its name.
    assert.equal(await isTaken('shot.png'), true);
  });

  for (const [name, bytes, reason] of [
    ['a bomb', pngStart(16_000, 16_000), /bomb\.png cannot be attached: it has 16000 × 16000 pixels/],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /it is no PNG, JPEG, WebP or GIF/],
    [
      'a cut file',
      Buffer.concat([pngStart(20, 20), Buffer.from('junk')]),
      /bomb\.png cannot be attached: it is damaged/,
    ],
  ] as const) {
    it(`are refused with the reason: ${name}`, async () => {
      const panel = await webview.open();
      await panel.snapshot(view([]), seeing);
      await giveFiles(field(panel), 'drop', [{ name: 'bomb.png', type: 'image/png', bytes }]);
      await panel.page.getByRole('alert').getByText(reason).waitFor();
      assert.deepEqual(
        (await panel.intents()).filter(({ type }) => type === 'attachImage'),
        [],
      );
    });
  }

  for (const [models, reason] of [
    [blind, 'Images are not sent: qwen3-8b takes none.'],
    [{}, 'Images are not sent: the server does not say whether qwen3-8b takes them.'],
  ] as const) {
    it(`stay, are not sent, and say why: ${reason}`, async () => {
      const panel = await webview.open({ width: 260 });
      await panel.snapshot(view([prompt('Hi')]), models);
      assert.equal(await button(panel, 'Attach Images…').count(), 0);
      await panel.send({ type: 'images_attached', images: [image] });
      await panel.page.getByText(reason).waitFor();
      await panel.page
        .getByRole('list', { name: 'Goes with the message' })
        .getByText('not sent', { exact: true })
        .waitFor();
      await panel.screenshot('images-not-taken-260');
      assert.deepEqual(await accessibilityProblems(panel.page), []);
      await field(panel).fill('Hi');
      await field(panel).press('Enter');
      assert.deepEqual(await panel.intent('submitPrompt'), { type: 'submitPrompt', sessionId, text: 'Hi' });
      await button(panel, 'Remove shot.png').waitFor();
    });
  }

  it('are in the conversation, and say when their file is missing', async () => {
    const panel = await webview.open();
    const gone = { ...image, hash: 'b'.repeat(64), name: 'gone.png' };
    const images = [image, gone];
    const asked: ViewItem = { kind: 'prompt', id: 'p1', text: 'Which?', contextLabels: [], isSteering: false, images };
    await panel.snapshot(view([asked]), { ...readyPanel, ...seeing });
    await panel.send({ type: 'image_found', hash: image.hash, image: dataUrl(small) });
    await panel.send({ type: 'image_found', hash: gone.hash });
    await panel.page.locator('.sent-image canvas[data-state="shown"]').waitFor();
    await panel.page.getByRole('img', { name: 'gone.png, 60 × 40, about 64 tokens, its file is missing' }).waitFor();
    assert.deepEqual(await accessibilityProblems(panel.page), []);
    await panel.screenshot('images-conversation');
  });
});
