/** A device that computes for a model. */
export interface Gpu {
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

const MIB = 1024 ** 2;
const MAX_GPUS = 16;

/**
 * Reads `nvidia-smi --query-gpu=name,memory.total,memory.free --format=csv,noheader,nounits`. Leaves out lines that it does
 * not understand.
 */
export function readNvidiaSmi(output: string): readonly Gpu[] {
  return gpusOf(output, /^([^,]{1,200}),\s*(\d{1,9}),\s*(\d{1,9})\s*$/, ([, name, total, free]) => ({
    name: name ?? '',
    totalBytes: Number(total) * MIB,
    freeBytes: Number(free) * MIB,
  }));
}

/** Reads `rocm-smi --showproductname --showmeminfo vram --json`. Its answer names numbers as texts. */
export function readRocmSmi(output: string): readonly Gpu[] {
  const cards = jsonObject(output);
  return Object.entries(cards)
    .filter(([card]) => /^card\d+$/.test(card))
    .slice(0, MAX_GPUS)
    .flatMap(([card, facts]): Gpu[] => {
      if (typeof facts !== 'object' || facts === null) return [];
      const fields = new Map(Object.entries(facts).map(([name, value]) => [name.toLowerCase(), String(value)]));
      const totalBytes = Number(fields.get('vram total memory (b)'));
      const used = Number(fields.get('vram total used memory (b)'));
      if (!Number.isFinite(totalBytes) || !Number.isFinite(used) || totalBytes <= 0) return [];
      const name = fields.get('card series') ?? fields.get('card model') ?? card;
      return [{ name, totalBytes, freeBytes: Math.max(0, totalBytes - used) }];
    });
}

/** Reads `llama-server --list-devices`: lines such as `CUDA0: NVIDIA RTX 4090 (24217 MiB, 23500 MiB free)`. */
export function readDeviceList(output: string): readonly Gpu[] {
  return gpusOf(
    output,
    /^\s*\w{1,20}:\s(.{1,200}?)\s\((\d{1,9}) MiB, (\d{1,9}) MiB free\)\s*$/,
    ([, name, total, free]) => ({
      name: name ?? '',
      totalBytes: Number(total) * MIB,
      freeBytes: Number(free) * MIB,
    }),
  );
}

function gpusOf(output: string, line: RegExp, read: (match: RegExpExecArray) => Gpu): readonly Gpu[] {
  return output
    .split('\n', 1_000)
    .flatMap((text) => {
      const match = text.length > 500 ? null : line.exec(text);
      return match ? [read(match)] : [];
    })
    .filter(({ totalBytes, freeBytes }) => totalBytes > 0 && freeBytes <= totalBytes)
    .slice(0, MAX_GPUS);
}

function jsonObject(output: string): object {
  try {
    const parsed: unknown = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    // A driver that prints something else counts as no driver.
    return {};
  }
}
