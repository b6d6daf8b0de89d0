/** A family of models with a way of its own to write calls. */
export type ModelFamily =
  | 'deepseek'
  | 'gemma'
  | 'glm'
  | 'gpt-oss'
  | 'granite'
  | 'kimi'
  | 'lfm'
  | 'llama'
  | 'minimax'
  | 'mistral'
  | 'phi'
  | 'qwen';

const NAMES: Readonly<Record<ModelFamily, RegExp>> = {
  deepseek: /deepseek/,
  gemma: /gemma/,
  glm: /\bglm|chatglm/,
  'gpt-oss': /gpt-?oss/,
  granite: /granite/,
  kimi: /kimi|moonshot/,
  lfm: /\blfm/,
  llama: /(?<!o)llama(?![.-]?cpp|-server)/,
  minimax: /minimax/,
  mistral: /mistral|ministral|mixtral|codestral|devstral|magistral|pixtral/,
  phi: /\bphi-?\d/,
  qwen: /qwen|\bqwq/,
};

/** Families whose servers leave calls inside the thoughts. */
const CALLS_IN_THOUGHTS: ReadonlySet<ModelFamily> = new Set(['deepseek', 'glm', 'gpt-oss', 'kimi', 'minimax', 'qwen']);

/**
 * The families that a model's name shows; empty when it shows none. Distilled models belong to two. Folders before the name
 * show nothing: llama-server names a model by its path.
 */
export function familiesOf(model: string): ReadonlySet<ModelFamily> {
  const name = (/[^/\\]*$/.exec(model)?.[0] ?? '').toLowerCase().replaceAll('_', '-');
  const all = Object.entries(NAMES) as readonly [ModelFamily, RegExp][];
  return new Set(all.flatMap(([family, pattern]) => (pattern.test(name) ? [family] : [])));
}

/** Whether calls inside the thoughts of such a model may count. */
export function mayCallInThoughts(families: ReadonlySet<ModelFamily>): boolean {
  return families.size === 0 || [...families].some((family) => CALLS_IN_THOUGHTS.has(family));
}
