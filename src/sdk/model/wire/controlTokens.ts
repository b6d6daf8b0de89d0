import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';

/**
 * Chat templates join messages with control tokens (`<|im_start|>user`), and servers read such tokens anywhere in the
 * prompt. A file with one could start a message in another role. So sent text gets a word joiner, which is invisible,
 * after the first character of each token. It is removed from the arguments of tool calls, so a model can still quote
 * the file for an edit.
 */
const JOINER = '\u2060';

/**
 * The rest of each token after its first character. None may contain the beginning of another. Sources: the published
 * chat templates and tokenizers of these models.
 */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  '<': [
    // ChatML, Llama 3 and 4, Phi, GLM, Granite, Command, Kimi, gpt-oss. With full-width bars: DeepSeek and Hunyuan.
    String.raw`[|\uFF5C][^\s<>|\uFF5C]{1,60}[|\uFF5C]>`,
    // Gemma 4.
    String.raw`\|(?:think|turn|tool|tool_call|tool_response|channel|image|audio|video)>`,
    String.raw`(?:turn|tool|tool_call|tool_response|channel)\|>`,
    // DeepSeek V3.2 and V4.
    String.raw`/?[|\uFF5C]{1,2}DSML[|\uFF5C]`,
    // Nemotron.
    String.raw`/?TOOLCALL>`,
    // Llama 2. The first of the two brackets stays.
    String.raw`/?SYS>>`,
    // Gemma and other SentencePiece models, ChatGLM, InternLM.
    String.raw`/?(?:s|bos|eos|pad|unk|sop|eop|eoh|eoa|eot|(?:start|end)_of_(?:turn|image))>`,
    String.raw`(?:unused|extra_id_|SPECIAL_)\d{1,4}>`,
    String.raw`/?seed:[a-z_]{1,40}>`,
    String.raw`(?:fim_(?:prefix|middle|suffix|pad)|file_sep|repo_name)>`,
    // The tags of Qwen and Hermes around calls and results, and of Hy3.
    String.raw`/?tool_(?:call|response)s?[\s>:]`,
    String.raw`/?(?:think|tool_sep|arg_(?:key|value)):[a-z]{1,20}>`,
  ],
  '[': [
    // Mistral, and Llama 2 before it; ChatGLM.
    String.raw`/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID|[gs]MASK)\]`,
    // EXAONE.
    String.raw`\|[^\s[\]|]{1,60}\|\]`,
    // MiniMax.
    String.raw`e~\[`,
  ],
  ']': [String.raw`~!?[a-z]{1,10}[\][]`, String.raw`<\][a-z]{1,20}\[>\[`],
};

/** The first character of a token, before `joiners` and the rest of the token. */
function tokenStart(joiners: string): string {
  return Object.entries(TOKENS)
    .map(([first, rests]) => `\\${first}(?=${joiners}(?:${rests.join('|')}))`)
    .join('|');
}

const SPLIT_OR_NOT = new RegExp(tokenStart(`${JOINER}*`), 'gi');
const NOT_SPLIT = new RegExp(tokenStart(''), 'gi');
const SPLIT = new RegExp(`(${tokenStart(`${JOINER}+`)})${JOINER}`, 'gi');

/** Makes text of others (people, files, tools) unable to start a message. `restoreControlTokens` reverts it. */
export function neutraliseControlTokens(text: string): string {
  return text.replace(SPLIT_OR_NOT, `$&${JOINER}`);
}

/** Does the same for a model's text. Tokens that it quoted with their joiner stay as they are. */
export function neutraliseOwnText(text: string): string {
  return text.replace(NOT_SPLIT, `$&${JOINER}`);
}

/** Does the same for all texts in a value, such as the schema of a tool. Property names stay. */
export function neutraliseValue(value: JsonObject): JsonObject {
  return mapStrings(value, neutraliseControlTokens) as JsonObject;
}

/** The input of a tool call with the original texts. */
export function restoreControlTokens(input: JsonObject): JsonObject {
  return mapStrings(input, (text) => text.replace(SPLIT, '$1')) as JsonObject;
}

function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
}
