import { readFile, statfs } from 'node:fs/promises';
import os from 'node:os';
import type { MemoryNeed } from '../fit/memoryNeed';
import { readDeviceList, readNvidiaSmi, readRocmSmi, type Gpu } from './gpuReports';
import type { RunProgram } from './runProgram';

/** The parts of this machine that decide which model fits. */
export interface Hardware {
  readonly platform: string;
  readonly arch: string;
  readonly memoryBytes: number;
  /** What programs can get now without anything being swapped out. */
  readonly availableBytes: number;
  /** Empty on a machine with unified memory, where the GPU uses `memoryBytes`. */
  readonly gpus: readonly Gpu[];
  /** Processor and GPU share one memory, as on Apple's processors. */
  readonly isUnified: boolean;
}

export interface HardwareSources {
  readonly platform: string;
  readonly arch: string;
  readonly run: RunProgram;
  readonly readText: (file: string) => Promise<string>;
  readonly memory: () => { readonly totalBytes: number; readonly freeBytes: number };
  /** Prints the devices of llama-server. Absent: it is not installed. */
  readonly listDevices?: (() => Promise<string | undefined>) | undefined;
}

/** Measures this machine. A tool that is missing or fails counts as no GPU. */
export async function readHardware(sources: HardwareSources): Promise<Hardware> {
  const { platform, arch } = sources;
  const isUnified = platform === 'darwin' && arch === 'arm64';
  const memory = await readMemory(sources);
  const gpus = isUnified ? [] : await readGpus(sources);
  return { platform, arch, ...memory, gpus, isUnified };
}

/**
 * The machine without a model that takes `need` now. It is in the GPUs as far as they are used. Weights elsewhere are parts of a file
 * that the system can give up, so they count as available already.
 */
export function withoutModel(hardware: Hardware, { weightBytes, totalBytes }: MemoryNeed): Hardware {
  let left = totalBytes;
  const gpus = hardware.gpus.map((gpu) => {
    const freed = Math.min(left, gpu.totalBytes - gpu.freeBytes);
    left -= freed;
    return { ...gpu, freeBytes: gpu.freeBytes + freed };
  });
  const rest = Math.min(left, totalBytes - weightBytes);
  const availableBytes = Math.min(hardware.memoryBytes, hardware.availableBytes + rest);
  return { ...hardware, gpus, availableBytes };
}

/** This machine. `listDevices` as in `HardwareSources`. */
export function machineSources(run: RunProgram, listDevices?: () => Promise<string | undefined>): HardwareSources {
  return {
    platform: process.platform,
    arch: process.arch,
    run,
    readText: (file) => readFile(file, 'utf8'),
    memory: () => ({ totalBytes: os.totalmem(), freeBytes: os.freemem() }),
    listDevices,
  };
}

/** The free bytes of the disk that holds `folder`. `undefined`: the system does not say. */
export async function freeDiskBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // The download finds out when the disk is full.
    return undefined;
  }
}

async function readMemory({
  platform,
  run,
  readText,
  memory,
}: HardwareSources): Promise<Pick<Hardware, 'memoryBytes' | 'availableBytes'>> {
  const { totalBytes, freeBytes } = memory();
  if (platform === 'linux') {
    // Free memory leaves out the files that Linux keeps in memory and gives up on demand.
    const text = await readText('/proc/meminfo').catch(() => '');
    const available = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1];
    return {
      memoryBytes: totalBytes,
      availableBytes: available === undefined ? freeBytes : Math.min(totalBytes, Number(available) * 1024),
    };
  }
  if (platform === 'darwin') {
    const size = Number((await run('/usr/sbin/sysctl', ['-n', 'hw.memsize']))?.trim());
    const memoryBytes = Number.isFinite(size) && size > 0 ? size : totalBytes;
    // macOS counts files in memory as used, so its free memory says little. The rest is an estimate.
    return { memoryBytes, availableBytes: Math.max(freeBytes, Math.floor(memoryBytes * 0.75)) };
  }
  return { memoryBytes: totalBytes, availableBytes: freeBytes };
}

async function readGpus({ run, listDevices }: HardwareSources): Promise<readonly Gpu[]> {
  const listed = readDeviceList((await listDevices?.()) ?? '');
  if (listed.length > 0) return listed;
  const query = ['--query-gpu=name,memory.total,memory.free', '--format=csv,noheader,nounits'];
  const nvidia = readNvidiaSmi((await run('nvidia-smi', query)) ?? '');
  if (nvidia.length > 0) return nvidia;
  return readRocmSmi((await run('rocm-smi', ['--showproductname', '--showmeminfo', 'vram', '--json'])) ?? '');
}
