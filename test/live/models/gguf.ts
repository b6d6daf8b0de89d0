/** A value of GGUF metadata with its type. Source: docs/gguf.md of ggml, version 3. */
export type GgufValue =
  | { readonly type: 'number'; readonly code: number; readonly value: number | bigint }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  /** An array stays as its bytes: the type of its items, their number and the items. */
  | { readonly type: 'array'; readonly bytes: Buffer };

export type GgufMetadata = ReadonlyMap<string, GgufValue>;

/** A tensor of 32-bit numbers, or of 16-bit ones. The first dimension runs fastest. */
export interface GgufTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | Float16;
}

/** Half-precision numbers, as their bits. */
export type Float16 = Uint16Array;

const alignment = 32;
const codes = { uint32: 4, float32: 6, bool: 7, string: 8, array: 9 } as const;
const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

export const uint32 = (value: number): GgufValue => ({ type: 'number', code: codes.uint32, value });
export const float32 = (value: number): GgufValue => ({ type: 'number', code: codes.float32, value });
export const text = (value: string): GgufValue => ({ type: 'string', value });

/** The metadata of a GGUF file. Throws on a file of another kind. */
export function readMetadata(file: Buffer): GgufMetadata {
  if (file.toString('latin1', 0, 4) !== 'GGUF') throw new Error('This is no GGUF file.');
  const count = Number(file.readBigUInt64LE(16));
  const metadata = new Map<string, GgufValue>();
  let at = 24;
  const string = (): string => {
    const length = Number(file.readBigUInt64LE(at));
    at += 8 + length;
    return file.toString('utf8', at - length, at);
  };
  for (let index = 0; index < count; index += 1) {
    const name = string();
    const code = file.readUInt32LE(at);
    at += 4;
    if (code === codes.string) metadata.set(name, text(string()));
    else if (code === codes.array) {
      const start = at;
      const items = file.readUInt32LE(at);
      const length = Number(file.readBigUInt64LE(at + 4));
      at += 12;
      if (items === codes.string)
        for (let item = 0; item < length; item += 1) at += 8 + Number(file.readBigUInt64LE(at));
      else at += length * sizeOf(items);
      metadata.set(name, { type: 'array', bytes: file.subarray(start, at) });
    } else {
      metadata.set(name, readNumber(file, at, code));
      at += sizeOf(code);
    }
  }
  return metadata;
}

/** The number of items in an array. */
export function lengthOf(value: GgufValue | undefined): number {
  if (value?.type !== 'array') throw new Error('An array is missing.');
  return Number(value.bytes.readBigUInt64LE(4));
}

/** The bytes of a GGUF file, version 3. */
export function writeGguf(metadata: GgufMetadata, tensors: readonly GgufTensor[]): Buffer {
  const parts: Buffer[] = [
    Buffer.from('GGUF'),
    uint32Bytes(3),
    uint64Bytes(tensors.length),
    uint64Bytes(metadata.size),
  ];
  for (const [name, value] of metadata) parts.push(stringBytes(name), ...valueBytes(value));
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    parts.push(stringBytes(name), uint32Bytes(shape.length), ...shape.map(uint64Bytes));
    parts.push(uint32Bytes(values instanceof Float32Array ? 0 : 1), uint64Bytes(offset));
    offset = aligned(offset + values.byteLength);
  }
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const pad = (): void => {
    parts.push(Buffer.alloc(aligned(length) - length));
    length = aligned(length);
  };
  pad();
  for (const { values } of tensors) {
    parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    length += values.byteLength;
    pad();
  }
  return Buffer.concat(parts);
}

function readNumber(file: Buffer, at: number, code: number): GgufValue {
  const size = sizeOf(code);
  if (code === codes.bool) return { type: 'bool', value: file[at] === 1 };
  if (code === codes.float32) return { type: 'number', code, value: file.readFloatLE(at) };
  if (code === 12) return { type: 'number', code, value: file.readDoubleLE(at) };
  if (size === 8) return { type: 'number', code, value: file.readBigInt64LE(at) };
  return { type: 'number', code, value: file.readUIntLE(at, size) };
}

function valueBytes(value: GgufValue): readonly Buffer[] {
  switch (value.type) {
    case 'string':
      return [uint32Bytes(codes.string), stringBytes(value.value)];
    case 'array':
      return [uint32Bytes(codes.array), value.bytes];
    case 'bool':
      return [uint32Bytes(codes.bool), Buffer.from([value.value ? 1 : 0])];
    case 'number': {
      const bytes = Buffer.alloc(sizeOf(value.code));
      if (typeof value.value === 'bigint') bytes.writeBigInt64LE(value.value);
      else if (value.code === codes.float32) bytes.writeFloatLE(value.value);
      else if (value.code === 12) bytes.writeDoubleLE(value.value);
      else bytes.writeUIntLE(value.value, 0, bytes.length);
      return [uint32Bytes(value.code), bytes];
    }
  }
}

function sizeOf(code: number): number {
  const size = sizes[code];
  if (size === undefined) throw new Error(`The type ${code} of GGUF is unknown.`);
  return size;
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function uint32Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function stringBytes(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64Bytes(bytes.length), bytes]);
}
