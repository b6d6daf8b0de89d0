/** The tokens of the fixed part by family, as a real llama-server counted them for so many characters of JSON. */
const stored = {
  characters: 2_851,
  tokens: {
    'Qwen2.5': 885,
    Qwen3: 885,
    'Qwen3-Coder': 1_126,
    'Qwen3.5': 994,
    'Llama 3.1': 1_142,
    'Gemma 4': 709,
  },
} as const;

const MAX_TOKENS = 1_150;
const MAX_QWEN3_TOKENS = 950;

/** The most tokens that the fixed part may take with a family. */
export function maxPromptTokens(family: string): number {
  return family === 'Qwen3' ? MAX_QWEN3_TOKENS : MAX_TOKENS;
}

/** The tokens of a fixed part of so many characters by family, for machines without a llama-server. */
export function storedPromptTokens(characters: number): ReadonlyMap<string, number> {
  const share = characters / stored.characters;
  return new Map(Object.entries(stored.tokens).map(([family, tokens]) => [family, Math.round(tokens * share)]));
}
