import type { Architecture } from './architecture';

const MIB = 1024 ** 2;
/** The cache holds 16-bit numbers, unless the server is told otherwise. */
const BYTES_PER_NUMBER = 2;
/** llama.cpp keeps a window and one batch of tokens. */
const BATCH_TOKENS = 512;
/** Buffers for computing, and what the driver takes. Measured models of 4 to 30 billion weights take 300 to 900 MB. */
const BUFFER_BYTES = 700 * MIB;

/** The memory that a model needs. */
export interface MemoryNeed {
  readonly weightBytes: number;
  readonly cacheBytes: number;
  /** With what computing takes beside both. */
  readonly totalBytes: number;
}

/** The memory for the weights in a file of `modelBytes` and a context of `contextTokens`. */
export function memoryNeed(modelBytes: number, architecture: Architecture, contextTokens: number): MemoryNeed {
  const cacheBytes = cacheBytesOf(architecture, contextTokens);
  return { weightBytes: modelBytes, cacheBytes, totalBytes: modelBytes + cacheBytes + BUFFER_BYTES };
}

function cacheBytesOf(architecture: Architecture, contextTokens: number): number {
  const { layers, kvHeads, keyLength, valueLength, latentLength, window, attentionEvery } = architecture;
  const perLayer = BYTES_PER_NUMBER * (latentLength ?? kvHeads * (keyLength + valueLength));
  if (window) {
    const full = Math.floor(layers / window.fullEvery);
    const kept = Math.min(contextTokens, window.length + BATCH_TOKENS);
    return perLayer * (full * contextTokens + (layers - full) * kept);
  }
  const withAttention = attentionEvery === undefined ? layers : Math.ceil(layers / attentionEvery);
  return perLayer * withAttention * contextTokens;
}
