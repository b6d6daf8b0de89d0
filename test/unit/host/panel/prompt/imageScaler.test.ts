import assert from 'node:assert/strict';
import { ImageScaler } from '../../../../../src/host/panel/prompt/imageScaler';
import type { Fact } from '../../../../../src/host/panel/panelChannel';
import type { ImagePart } from '../../../../../src/sdk/messages';
import { dataUrl, pngOf } from '../../../../support/images/sampleImages';
import { ManualSchedule } from '../../../../support/manualSchedule';

describe('ImageScaler', () => {
  const large: ImagePart = { type: 'image', image: dataUrl(pngOf(1_300, 4)), name: 'large.png' };
  const small: ImagePart = { type: 'image', image: dataUrl(pngOf(1_280, 4)) };
  const scaled = dataUrl(pngOf(1_280, 4));

  function open(isOpen = true) {
    const facts: Fact[] = [];
    const schedule = new ManualSchedule();
    const scaler = new ImageScaler({
      post: (fact) => facts.push(fact),
      isOpen: () => isOpen,
      setTimer: schedule.schedule,
    });
    return { facts, schedule, scaler };
  }

  it('takes the picture of the page for large images, and small ones as they are', async () => {
    const { facts, schedule, scaler } = open();
    const result = scaler.scaleAll([large, small]);
    assert.deepEqual(facts, [{ type: 'scale_image', id: '1', image: large.image }]);
    scaler.receive('7', scaled);
    scaler.receive('1', scaled);
    assert.deepEqual(await result, [{ type: 'image', image: scaled, name: 'large.png' }, small]);
    assert.deepEqual(schedule.delays, []);
  });

  it('sends images as they are without a picture of the page', async () => {
    const closed = open(false);
    assert.deepEqual(await closed.scaler.scaleAll([large]), [large]);
    assert.deepEqual(closed.facts, []);
    const answers: readonly ((parts: ReturnType<typeof open>) => void)[] = [
      ({ scaler }) => scaler.receive('1', undefined),
      ({ scaler }) => scaler.receive('1', 'data:text/html;base64,PGI+'),
      ({ scaler }) => scaler.receive('1', 'https://example.com/a.png'),
      ({ scaler }) => scaler.giveUp(),
      ({ schedule }) => schedule.run(),
    ];
    for (const answer of answers) {
      const parts = open();
      const result = parts.scaler.scaleAll([large]);
      answer(parts);
      assert.deepEqual(await result, [large]);
    }
  });
});
