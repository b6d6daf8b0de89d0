const pattern =
  /(?:^|[-_.:/@])(I?Q\d(?:_(?:K|\d|[A-Z]{1,3}))*|BF16|FP?16|F32|FP8|INT[48]|AWQ|GPTQ|MXFP4|NVFP4|\d-?bit)(?=$|[-_.:/@])/i;

/** How the weights of a model are stored, if its name tells: `qwen3-4b-Q4_K_M.gguf` gives `Q4_K_M`. */
export function quantisationOf(model: string): string | undefined {
  return pattern.exec(model.slice(0, 300))?.[1]?.toUpperCase();
}
