/** Pixels for one token. Source: Qwen2-VL and later, which merge patches of 14 × 14 pixels two by two. */
const PIXELS_PER_TOKEN = 28 * 28;
const LEAST = 64;
/** Models scale larger images down. */
const MOST = 4_096;

/** Estimates the tokens of an image for an unknown model. */
export function estimateImageTokens({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.min(MOST, Math.max(LEAST, Math.ceil((width * height) / PIXELS_PER_TOKEN)));
}
