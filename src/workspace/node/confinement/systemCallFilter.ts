import { endianness } from 'node:os';

/** The numbers of one instruction set. Sources: the kernel's syscall tables and `linux/audit.h`. */
interface Calls {
  /** AUDIT_ARCH_… */
  readonly audit: number;
  /** add_key, request_key and keyctl. */
  readonly keys: readonly number[];
  readonly socket: number;
  /** Hides the arguments of `socket` from the filter. Its programs use `socket` since 2015. */
  readonly socketcall?: number;
  /** From here on: calls of an old variant, whose numbers differ. */
  readonly foreignFrom?: number;
}

const X64: Calls = { audit: 0xc000003e, keys: [248, 249, 250], socket: 41, foreignFrom: 0x40000000 };
const IA32: Calls = { audit: 0x40000003, keys: [286, 287, 288], socket: 359, socketcall: 102 };
const ARM64: Calls = { audit: 0xc00000b7, keys: [217, 218, 219], socket: 198 };
const ARM: Calls = { audit: 0x40000028, keys: [309, 310, 311], socket: 281, socketcall: 102 };
const RISCV64: Calls = { audit: 0xc00000f3, keys: [217, 218, 219], socket: 198 };
const LOONG64: Calls = { audit: 0xc0000102, keys: [217, 218, 219], socket: 198 };
const PPC64: Calls = { audit: 0xc0000015, keys: [269, 270, 271], socket: 326, socketcall: 102 };
const S390X: Calls = { audit: 0x80000016, keys: [278, 279, 280], socket: 359, socketcall: 102 };

/** By `process.arch`: the instruction sets that the processor runs. */
const INSTRUCTION_SETS: Readonly<Record<string, readonly Calls[]>> = {
  x64: [X64, IA32],
  ia32: [IA32],
  arm64: [ARM64, ARM],
  arm: [ARM],
  riscv64: [RISCV64],
  loong64: [LOONG64],
  ppc64: [PPC64],
  s390x: [S390X],
};

/** It can open sockets too. The same number everywhere. */
const IO_URING_SETUP = 425;
/** Local, IPv4, IPv6 and netlink, which a network namespace separates. Others, such as vsock to the host, it does not. */
const FAMILIES = [1, 2, 10, 16];

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * A seccomp program for bubblewrap. It refuses what namespaces do not separate: the kernel's keyrings, and sockets of rare
 * families. `undefined`: the processor is not known.
 */
export function systemCallFilter(processor: string = process.arch): Uint8Array | undefined {
  const sets = INSTRUCTION_SETS[processor];
  if (!sets) return undefined;
  const program: Instruction[] = [[LOAD, 0, 0, 4]];
  for (const calls of sets) {
    const block = rulesOf(calls);
    program.push([JUMP_IF_EQUAL, 0, block.length, calls.audit], ...block);
  }
  program.push([RETURN, 0, 0, FAIL | ENOSYS]);
  return encode(program);
}

function rulesOf({ keys, socket, socketcall, foreignFrom }: Calls): readonly Instruction[] {
  const refuse = (call: number, error: number): readonly Instruction[] => [
    [JUMP_IF_EQUAL, 0, 1, call],
    [RETURN, 0, 0, FAIL | error],
  ];
  // The low half of the first argument.
  const firstArgument = endianness() === 'LE' ? 16 : 20;
  const family: readonly Instruction[] = [
    [LOAD, 0, 0, firstArgument],
    ...FAMILIES.flatMap((one): readonly Instruction[] => [
      [JUMP_IF_EQUAL, 0, 1, one],
      [RETURN, 0, 0, ALLOW],
    ]),
    [RETURN, 0, 0, FAIL | EAFNOSUPPORT],
  ];
  return [
    [LOAD, 0, 0, 0],
    ...(foreignFrom === undefined
      ? []
      : ([
          [JUMP_IF_AT_LEAST, 0, 1, foreignFrom],
          [RETURN, 0, 0, FAIL | ENOSYS],
        ] as const)),
    ...keys.flatMap((call) => refuse(call, EPERM)),
    ...refuse(IO_URING_SETUP, ENOSYS),
    ...(socketcall === undefined ? [] : refuse(socketcall, ENOSYS)),
    [JUMP_IF_EQUAL, 0, family.length, socket],
    ...family,
    [RETURN, 0, 0, ALLOW],
  ];
}

/** `struct sock_filter` of `linux/filter.h`. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  const isLittle = endianness() === 'LE';
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, isLittle);
    bytes.setUint8(index * 8 + 2, ifTrue);
    bytes.setUint8(index * 8 + 3, ifFalse);
    bytes.setUint32(index * 8 + 4, value >>> 0, isLittle);
  }
  return new Uint8Array(bytes.buffer);
}
