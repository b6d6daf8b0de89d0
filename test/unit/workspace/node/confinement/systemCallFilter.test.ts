import assert from 'node:assert/strict';
import { endianness } from 'node:os';
import { systemCallFilter } from '../../../../../src/workspace/node/confinement/systemCallFilter';

const ALLOW = 0x7fff0000;
const error = (number: number): number => 0x00050000 | number;

/** Runs the program as the kernel does, for the few instructions that it has. */
function decide(
  processor: string,
  { audit, call, argument = 0 }: { audit: number; call: number; argument?: number },
): number {
  const bytes = systemCallFilter(processor) ?? assert.fail(processor);
  const isLittle = endianness() === 'LE';
  const view = new DataView(bytes.buffer);
  const data = new Map([
    [0, call],
    [4, audit],
    [isLittle ? 16 : 20, argument],
  ]);
  let accumulator = 0;
  for (let at = 0; at < bytes.length / 8; at += 1) {
    const code = view.getUint16(at * 8, isLittle);
    const value = view.getUint32(at * 8 + 4, isLittle);
    if (code === 0x20) accumulator = data.get(value) ?? assert.fail(`offset ${value}`);
    else if (code === 0x06) return value;
    else at += view.getUint8(at * 8 + ((code === 0x15 ? accumulator === value : accumulator >= value) ? 2 : 3));
  }
  return assert.fail('The program has no end.');
}

describe('systemCallFilter', () => {
  it('refuses keyrings, rare sockets, io_uring and foreign variants on x64, and allows the rest', () => {
    const x64 = (call: number, argument?: number): number =>
      decide('x64', { audit: 0xc000003e, call, argument: argument ?? 0 });
    assert.deepEqual(
      [248, 249, 250].map((call) => x64(call)),
      [error(1), error(1), error(1)],
    );
    assert.deepEqual(
      [1, 2, 10, 16].map((family) => x64(41, family)),
      [ALLOW, ALLOW, ALLOW, ALLOW],
    );
    assert.deepEqual(
      [40, 31, 38, 17].map((family) => x64(41, family)),
      Array.from({ length: 4 }, () => error(97)),
    );
    assert.deepEqual([x64(425), x64(0x40000001)], [error(38), error(38)]);
    assert.deepEqual(
      [0, 1, 59, 257, 435].map((call) => x64(call)),
      Array.from({ length: 5 }, () => ALLOW),
    );
  });

  it('does the same for the 32-bit calls of the processor', () => {
    const ia32 = (call: number): number => decide('x64', { audit: 0x40000003, call });
    assert.deepEqual([ia32(288), ia32(102), ia32(11)], [error(1), error(38), ALLOW]);
    assert.equal(decide('arm64', { audit: 0x40000028, call: 311 }), error(1));
  });

  it('refuses every call of an unknown instruction set', () => {
    assert.equal(decide('x64', { audit: 1, call: 0 }), error(38));
    assert.equal(systemCallFilter('mips'), undefined);
  });

  for (const processor of ['x64', 'ia32', 'arm64', 'arm', 'riscv64', 'loong64', 'ppc64', 's390x']) {
    it(`fits into the kernel's form on ${processor}`, () => {
      const length = systemCallFilter(processor)?.length ?? 0;
      assert.ok(length > 0 && length % 8 === 0 && length / 8 <= 4096);
    });
  }
});
