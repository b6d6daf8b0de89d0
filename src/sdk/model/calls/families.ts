/** A family of models with a way of its own to write calls. */
export type ModelFamily =
  | 'apertus'
  | 'deepseek'
  | 'firefunction'
  | 'functionary'
  | 'gemma'
  | 'gigachat'
  | 'glm'
  | 'gpt-oss'
  | 'granite'
  | 'hunyuan'
  | 'kimi'
  | 'lfm'
  | 'llama'
  | 'minicpm'
  | 'minimax'
  | 'mistral'
  | 'muse'
  | 'phi'
  | 'qwen'
  | 'solar';

const NAMES: Readonly<Record<ModelFamily, RegExp>> = {
  apertus: /apertus/,
  deepseek: /deepseek/,
  firefunction: /firefunction/,
  functionary: /functionary/,
  gemma: /gemma/,
  gigachat: /gigachat/,
  glm: /\bglm|chatglm/,
  'gpt-oss': /gpt-?oss/,
  granite: /granite/,
  hunyuan: /hunyuan|\bhy-?v?\d/,
  kimi: /kimi|moonshot/,
  lfm: /\blfm/,
  llama: /(?<!o)llama(?![.-]?cpp|-server)/,
  minicpm: /minicpm/,
  minimax: /minimax/,
  mistral: /mistral|ministral|mixtral|codestral|devstral|magistral|pixtral/,
  muse: /\bmuse\b/,
  phi: /\bphi-?\d/,
  qwen: /qwen|\bqwq/,
  solar: /\bsolar\b/,
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
