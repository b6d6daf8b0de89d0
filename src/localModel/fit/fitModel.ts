import * as l10n from '../../util/l10n';
import type { Hardware } from '../machine/hardware';
import type { Architecture } from './architecture';
import { memoryNeed, type MemoryNeed } from './memoryNeed';

const GIB = 1024 ** 3;

/** The windows of context that are tried, the best first. An agent needs 16k. */
export const contextSizes = [32_768, 16_384] as const;

/** Where a model would be computed. */
export type Placement = 'gpu' | 'split' | 'processor';

/** How a model fits into a machine. */
export interface Fit {
  /** In tokens. */
  readonly context: (typeof contextSizes)[number];
  readonly placement: Placement;
  readonly need: MemoryNeed;
  /** What it takes with each window of context that it was trained for, the largest first. */
  readonly needs: readonly { readonly context: number; readonly totalBytes: number }[];
  /** Of the memory that it would use. */
  readonly leftBytes: number;
}

/** The model of a choice, as far as memory and speed go. */
export interface SizedModel {
  readonly bytes: number;
  readonly architecture: Architecture;
  /** The share of the weights that each token reads, for mixtures of experts. 1: all. */
  readonly activeShare?: number | undefined;
}

/**
 * The best way to run a model on a machine: a larger context comes before a faster place, unless only the smaller context fits
 * into the GPU. `undefined`: it does not fit.
 */
export function fitModel(model: SizedModel, hardware: Hardware): Fit | undefined {
  const contexts = contextsOf(model.architecture);
  const needs = contexts.map((context) => ({ context, ...memoryNeed(model.bytes, model.architecture, context) }));
  for (const placement of ['gpu', 'split', 'processor'] as const) {
    const budget = budgetOf(placement, hardware);
    for (const { context, ...need } of needs) {
      if (need.totalBytes > budget) continue;
      const told = needs.map(({ context: size, totalBytes }) => ({ context: size, totalBytes }));
      return { context, placement, need, needs: told, leftBytes: budget - need.totalBytes };
    }
  }
  return undefined;
}

/** Empty: it was trained for less than an agent needs. */
export function contextsOf({ trainedContext = Infinity }: Architecture): readonly (typeof contextSizes)[number][] {
  return contextSizes.filter((context) => context <= trainedContext);
}

/** The memory that a model may take, in bytes. VS Code, a browser and the system keep the rest. */
function budgetOf(placement: Placement, hardware: Hardware): number {
  const { memoryBytes, availableBytes, gpus, isUnified } = hardware;
  const spare = Math.max(0, Math.min(availableBytes - GIB, memoryBytes - 4 * GIB));
  if (isUnified) {
    // macOS lets the GPU use two thirds of the memory up to 36 GB, and three quarters above.
    const share = memoryBytes <= 36 * GIB ? 2 / 3 : 3 / 4;
    return placement === 'gpu' ? Math.max(0, Math.min(memoryBytes * share, memoryBytes - 4 * GIB, availableBytes)) : 0;
  }
  const free = gpus.reduce((sum, { freeBytes }) => sum + Math.max(0, freeBytes - GIB / 2), 0);
  switch (placement) {
    case 'gpu':
      return free;
    case 'split':
      // With less than a quarter in the GPU it is as slow as the processor alone.
      return free === 0 ? 0 : Math.min(free + spare, free * 4);
    case 'processor':
      return spare;
    default:
      return placement satisfies never;
  }
}

/** Larger is better: used to put choices in order. */
export function fitRank({ placement, context, need }: Fit): number {
  const places = { gpu: 2, split: 1, processor: 0 };
  // Among models in the same place, the larger one knows more, as long as it is not too slow for the processor.
  const size = placement === 'gpu' ? need.weightBytes : -need.weightBytes;
  return places[placement] * 1e15 + (context === 32_768 ? 1e13 : 0) + size;
}

/** The speed to expect, in words: it depends on more than can be measured before a model runs. */
export function expectedSpeed({ placement }: Fit, { bytes, activeShare = 1 }: SizedModel): string {
  const read = (bytes * activeShare) / GIB;
  switch (placement) {
    case 'gpu':
      return read <= 6 ? l10n.t('fast') : read <= 16 ? l10n.t('comfortable') : l10n.t('unhurried');
    case 'split':
      return read <= 4 ? l10n.t('comfortable') : l10n.t('slow');
    case 'processor':
      return read <= 2 ? l10n.t('slow') : l10n.t('very slow: minutes before an answer begins');
    default:
      return placement satisfies never;
  }
}
