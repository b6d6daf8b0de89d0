import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatSpeed, promptReading } from '../../../../src/agent/view/promptReading';

describe('reading of a prompt', () => {
  it('measures the speed without the cached tokens', () => {
    assert.deepEqual(promptReading({ total: 3_000, processed: 2_000, cached: 1_000, elapsedMs: 500 }), {
      percent: 66,
      tokensPerSecond: 2_000,
      leftMs: 500,
    });
  });

  it('knows neither speed nor time before the first tokens', () => {
    assert.deepEqual(promptReading({ total: 100, processed: 24, cached: 24, elapsedMs: 0 }), { percent: 24 });
    assert.deepEqual(promptReading({ total: 100, processed: 50, cached: 0 }), { percent: 50 });
    assert.equal(promptReading({ total: 0, processed: 0, cached: 0 }), undefined);
  });

  it('gives finite numbers for any report', () => {
    const count = fc.oneof(fc.integer(), fc.double());
    fc.assert(
      fc.property(count, count, count, fc.option(count, { nil: undefined }), (total, processed, cached, elapsedMs) => {
        const reading = promptReading({ total, processed, cached, elapsedMs });
        if (reading === undefined) return;
        const { percent, tokensPerSecond = 1, leftMs = 1 } = reading;
        assert.ok(percent >= 0 && percent <= 100);
        assert.ok(tokensPerSecond > 0 && Number.isFinite(tokensPerSecond));
        assert.ok(leftMs > 0 && Number.isFinite(leftMs));
      }),
    );
  });

  it('rounds speeds', () => {
    assert.deepEqual([7.46, 41.7, 3_615.2].map(formatSpeed), ['7.5 tokens/s', '42 tokens/s', '3615 tokens/s']);
  });
});
