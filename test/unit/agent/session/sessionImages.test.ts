import assert from 'node:assert/strict';
import { dataUrl, pngOf } from '../../../support/images/sampleImages';
import { textResponse } from '../../../support/servers/scriptedProvider';
import { SessionBench } from '../../../support/sessions/sessions';

const png = pngOf(8, 6);

describe('images of a session', () => {
  // Screens ask for an image when they show its prompt, which is before the model gets it.
  it('are found as soon as their prompt is shown', async () => {
    const bench = new SessionBench();
    const session = await bench.open(textResponse('Red.'));
    let found: unknown;
    bench.beforeClient = async () => {
      const [item] = session.view.items;
      assert.ok(item?.kind === 'prompt');
      found = (await session.findImage(item.images?.[0]?.hash ?? ''))?.image;
    };
    await session.submit({ text: 'Which colour?', images: [{ type: 'image', image: png }] });
    await session.whenIdle();
    assert.equal(found, dataUrl(png));
  });

  it('are not found when the session never named them', async () => {
    const bench = new SessionBench();
    const session = await bench.open();
    assert.equal(await session.findImage('0'.repeat(64)), undefined);
  });
});
