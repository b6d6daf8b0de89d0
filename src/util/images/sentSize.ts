interface Size {
  readonly width: number;
  readonly height: number;
}

/** In pixels. Models scale larger images down, and each pixel costs tokens. Text of a screen stays readable. */
const LONGEST_SIDE = 1_280;

/** The size, in whole pixels, in which the panel sends an image: as it is, or smaller. */
export function sentSize({ width, height }: Size): Size {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function isSentSmaller({ width, height }: Size): boolean {
  return Math.max(width, height) > LONGEST_SIDE;
}
