import assert from 'node:assert/strict';
import { readDeviceList, readNvidiaSmi, readRocmSmi } from '../../../src/localModel/machine/gpuReports';
import { readHardware, type HardwareSources } from '../../../src/localModel/machine/hardware';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe('what is in this machine', () => {
  const answers = (
    outputs: Readonly<Record<string, string>>,
    more: Partial<HardwareSources> = {},
  ): HardwareSources => ({
    platform: 'linux',
    arch: 'x64',
    run: async (program) => outputs[program],
    readText: async () => 'MemTotal:  32000000 kB\nMemAvailable:   16777216 kB\n',
    memory: () => ({ totalBytes: 32 * GIB, freeBytes: GIB }),
    ...more,
  });

  it('reads nvidia-smi, rocm-smi and the device list of llama-server', async () => {
    assert.deepEqual(readNvidiaSmi('NVIDIA GeForce RTX 4070, 12282, 11000\nerror\nX, 5, 9\n'), [
      { name: 'NVIDIA GeForce RTX 4070', totalBytes: 12_282 * MIB, freeBytes: 11_000 * MIB },
    ]);
    const card = {
      'VRAM Total Memory (B)': '17163091968',
      'VRAM Total Used Memory (B)': '163091968',
      'Card Series': 'RX 7800',
    };
    assert.deepEqual(readRocmSmi(`WARNING: x\n${JSON.stringify({ card0: card, system: {}, card1: 3 })}\n`), [
      { name: 'RX 7800', totalBytes: 17_163_091_968, freeBytes: 17_000_000_000 },
    ]);
    const list = 'Available devices:\n  Vulkan0: AMD Radeon (RADV) (16368 MiB, 15000 MiB free)\n  (none)\n';
    assert.deepEqual(readDeviceList(list), [
      { name: 'AMD Radeon (RADV)', totalBytes: 16_368 * MIB, freeBytes: 15_000 * MIB },
    ]);
  });

  it('asks llama-server first, then the drivers', async () => {
    const nvidia = { 'nvidia-smi': 'A, 8000, 7000' };
    const listDevices = async () => 'CUDA0: B (9000 MiB, 8000 MiB free)';
    assert.deepEqual(
      (await readHardware(answers(nvidia, { listDevices }))).gpus.map(({ name }) => name),
      ['B'],
    );
    assert.deepEqual(
      (await readHardware(answers(nvidia))).gpus.map(({ name }) => name),
      ['A'],
    );
    assert.deepEqual((await readHardware(answers({}))).gpus, []);
  });

  it('takes the memory that Linux can free, and all of it on Apple processors', async () => {
    assert.deepEqual(await readHardware(answers({})), {
      ...{ platform: 'linux', arch: 'x64', gpus: [], isUnified: false },
      ...{ memoryBytes: 32 * GIB, availableBytes: 16 * GIB },
    });
    const mac = await readHardware(
      answers(
        { '/usr/sbin/sysctl': `${24 * GIB}\n`, 'nvidia-smi': 'A, 8000, 7000' },
        { platform: 'darwin', arch: 'arm64' },
      ),
    );
    assert.deepEqual([mac.memoryBytes, mac.availableBytes, mac.gpus, mac.isUnified], [24 * GIB, 18 * GIB, [], true]);
  });
});
