/** Those of the common templates that change earlier steps, so that the server reads them again. */
export const rewritingTemplates: ReadonlySet<string> = new Set([
  'google-gemma-4-31B-it',
  'mistralai-Mistral-Nemo-Instruct-2407',
  'deepseek-ai-DeepSeek-V3.1',
]);

/**
 * Chat templates for the live tests of each run: the families that people use most for code, and one for each law that
 * templates have. `OPEN_AGENT_LIVE_TEMPLATES` names others, with commas; `all`: every template of llama.cpp.
 */
export const commonTemplates: readonly string[] = [
  'Qwen-Qwen2.5-7B-Instruct',
  'Qwen-Qwen3-0.6B',
  'Qwen3-Coder',
  'Qwen3.5-4B',
  'GLM-4.6',
  'openai-gpt-oss-120b',
  'unsloth-mistral-Devstral-Small-2507',
  'google-gemma-4-31B-it',
  'Kimi-K2-Instruct',
  // Ids of nine letters and digits.
  'mistralai-Mistral-Nemo-Instruct-2407',
  // One call in a message.
  'meta-llama-Llama-3.1-8B-Instruct',
  // Neither tools nor a system role.
  'google-gemma-2-2b-it',
  // No tools.
  'microsoft-Phi-3.5-mini-instruct',
  'deepseek-ai-DeepSeek-V3.1',
  // Thoughts begin in the prompt.
  'MiniMax-M2',
];
