import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Architecture } from '../../../src/localModel/fit/architecture';
import { expectedSpeed, fitModel } from '../../../src/localModel/fit/fitModel';
import { memoryNeed } from '../../../src/localModel/fit/memoryNeed';
import type { Hardware } from '../../../src/localModel/machine/hardware';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;
const qwen3 = (layers: number): Architecture => ({
  kind: 'qwen3',
  layers,
  kvHeads: 8,
  keyLength: 128,
  valueLength: 128,
});

/** A machine with some of its memory in use. */
function machine(memoryGb: number, gpuGb = 0, isUnified = false): Hardware {
  const memoryBytes = memoryGb * GIB;
  return {
    platform: isUnified ? 'darwin' : 'linux',
    arch: isUnified ? 'arm64' : 'x64',
    memoryBytes,
    availableBytes: memoryBytes * 0.75,
    gpus: gpuGb === 0 ? [] : [{ name: 'GPU', totalBytes: gpuGb * GIB, freeBytes: gpuGb * GIB - 300 * MIB }],
    isUnified,
  };
}

const models = {
  '4B': { bytes: 2.5e9, architecture: qwen3(36) },
  '8B': { bytes: 5e9, architecture: qwen3(36) },
  '14B': { bytes: 9e9, architecture: qwen3(40) },
  '32B': { bytes: 19.8e9, architecture: qwen3(64) },
};

function placesOn(hardware: Hardware): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      const fit = fitModel(model, hardware);
      return [name, fit ? `${fit.placement} ${fit.context / 1024}k` : 'no'];
    }),
  );
}

describe('what fits into a machine', () => {
  it('counts the cache as llama.cpp does', () => {
    // Printed by llama-server: 2,304 MiB for Qwen3 8B with 16k, 90 MiB for SmolLM2 135M with 4k.
    assert.equal(memoryNeed(0, qwen3(36), 16_384).cacheBytes, 2_304 * MIB);
    const smol: Architecture = { kind: 'llama', layers: 30, kvHeads: 3, keyLength: 64, valueLength: 64 };
    assert.equal(memoryNeed(0, smol, 4_096).cacheBytes, 90 * MIB);
  });

  it('counts windows, compressed caches and layers without attention', () => {
    const base: Architecture = { kind: 'x', layers: 24, kvHeads: 8, keyLength: 64, valueLength: 64 };
    const perToken = 2 * 8 * 128;
    const windowed = memoryNeed(0, { ...base, window: { length: 128, fullEvery: 2 } }, 32_768).cacheBytes;
    assert.equal(windowed, perToken * (12 * 32_768 + 12 * (128 + 512)));
    assert.equal(memoryNeed(0, { ...base, latentLength: 576 }, 1_000).cacheBytes, 2 * 576 * 24 * 1_000);
    assert.equal(memoryNeed(0, { ...base, attentionEvery: 4 }, 1_000).cacheBytes, perToken * 6 * 1_000);
  });

  it('places models on machines of 8 to 64 GB', () => {
    assert.deepEqual(
      {
        '8 GB': placesOn(machine(8)),
        '12 GB': placesOn(machine(12)),
        '16 GB': placesOn(machine(16)),
        '24 GB': placesOn(machine(24)),
        '64 GB': placesOn(machine(64)),
      },
      {
        '8 GB': { '4B': 'no', '8B': 'no', '14B': 'no', '32B': 'no' },
        '12 GB': { '4B': 'processor 32k', '8B': 'processor 16k', '14B': 'no', '32B': 'no' },
        '16 GB': { '4B': 'processor 32k', '8B': 'processor 32k', '14B': 'no', '32B': 'no' },
        '24 GB': { '4B': 'processor 32k', '8B': 'processor 32k', '14B': 'processor 32k', '32B': 'no' },
        '64 GB': { '4B': 'processor 32k', '8B': 'processor 32k', '14B': 'processor 32k', '32B': 'processor 32k' },
      },
    );
  });

  it('places models on GPUs of 8 to 24 GB beside 16 or 64 GB of memory', () => {
    assert.deepEqual(
      {
        '8 GB': placesOn(machine(16, 8)),
        '12 GB': placesOn(machine(16, 12)),
        '16 GB': placesOn(machine(64, 16)),
        '24 GB': placesOn(machine(64, 24)),
      },
      {
        '8 GB': { '4B': 'gpu 16k', '8B': 'split 32k', '14B': 'split 32k', '32B': 'no' },
        '12 GB': { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'split 32k', '32B': 'no' },
        '16 GB': { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'gpu 32k', '32B': 'split 32k' },
        '24 GB': { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'gpu 32k', '32B': 'gpu 16k' },
      },
    );
  });

  it("places models in Apple's unified memory", () => {
    assert.deepEqual(
      [8, 16, 24, 64].map((gb) => placesOn(machine(gb, 0, true))),
      [
        { '4B': 'no', '8B': 'no', '14B': 'no', '32B': 'no' },
        { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'no', '32B': 'no' },
        { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'gpu 32k', '32B': 'no' },
        { '4B': 'gpu 32k', '8B': 'gpu 32k', '14B': 'gpu 32k', '32B': 'gpu 32k' },
      ],
    );
  });

  it('never offers what needs more than there is, and more memory never fits less', () => {
    const memory = fc.integer({ min: 1, max: 128 });
    fc.assert(
      fc.property(memory, fc.integer({ min: 0, max: 48 }), fc.integer({ min: 1e8, max: 8e10 }), (gb, gpu, bytes) => {
        const model = { bytes, architecture: qwen3(40) };
        const hardware = machine(gb, gpu);
        const fit = fitModel(model, hardware);
        const all = hardware.availableBytes + hardware.gpus.reduce((sum, { freeBytes }) => sum + freeBytes, 0);
        if (fit) {
          assert.equal(fit.need.totalBytes <= all, true);
          assert.equal(fit.leftBytes >= 0, true);
          assert.notEqual(fitModel(model, machine(gb + 8, gpu)), undefined);
          assert.notEqual(expectedSpeed(fit, model), '');
        }
      }),
      { seed: 18 },
    );
  });

  it('offers no model that was trained for less than 16k', () => {
    const architecture = { ...qwen3(36), trainedContext: 8_192 };
    assert.equal(fitModel({ bytes: 1e9, architecture }, machine(64, 24)), undefined);
  });
});
