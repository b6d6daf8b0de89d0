import { isJsonObject, type JsonObject, type JsonValue } from '../../../util/json';

/**
 * Chat templates join messages with control tokens (`<|im_start|>user`), and servers read such tokens wherever they stand
 * in the prompt: a file that has one in it could begin a message in somebody else's name. What is sent therefore has a
 * word joiner, which shows nothing and means nothing, after the first character of whatever looks like such a token. It
 * is taken out again of the arguments of tool calls, so that a model can still quote the file for an edit.
 */
const JOINER = '\u2060';

/**
 * What follows the first character of a token. None may hold another token's beginning. Sources: the chat templates and
 * tokenizers that are published with the models of these families.
 */
const TOKENS: Readonly<Record<string, readonly string[]>> = {
  '<': [
    // ChatML, Llama 3 and 4, Phi, GLM, Granite, Command, Kimi, gpt-oss; with full-width bars DeepSeek and Hunyuan.
    String.raw`[|｜][^\s<>|｜]{1,60}[|｜]>`,
    // Llama 2; the first of the two brackets stays.
    String.raw`/?SYS>>`,
    // Gemma and SentencePiece at large, ChatGLM, InternLM.
    String.raw`/?(?:s|bos|eos|pad|unk|sop|eop|eoh|eoa|eot|(?:start|end)_of_(?:turn|image))>`,
    String.raw`(?:unused|extra_id_|SPECIAL_)\d{1,4}>`,
    String.raw`/?seed:[a-z_]{1,40}>`,
    String.raw`(?:fim_(?:prefix|middle|suffix|pad)|file_sep|repo_name)>`,
    // What Qwen and Hermes put around calls and results.
    String.raw`/?tool_(?:call|response)s?[\s>]`,
  ],
  '[': [
    // Mistral, and Llama 2 before it; ChatGLM.
    String.raw`/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID|[gs]MASK)\]`,
    // EXAONE.
    String.raw`\|[^\s[\]|]{1,60}\|\]`,
    // MiniMax.
    String.raw`e~\[`,
  ],
  ']': [String.raw`~!?[a-z]{1,10}[\][]`],
};

/** A token's first character, where `joiners` and then the rest of the token follow. */
function tokenStart(joiners: string): string {
  return Object.entries(TOKENS)
    .map(([first, rests]) => `\\${first}(?=${joiners}(?:${rests.join('|')}))`)
    .join('|');
}

const SPLIT_OR_NOT = new RegExp(tokenStart(`${JOINER}*`), 'gi');
const NOT_SPLIT = new RegExp(tokenStart(''), 'gi');
const SPLIT = new RegExp(`(${tokenStart(`${JOINER}+`)})${JOINER}`, 'gi');

/** Text of others (people, files, tools) that cannot begin a message. `restoreControlTokens` gives it back as it was. */
export function neutraliseControlTokens(text: string): string {
  return text.replace(SPLIT_OR_NOT, `$&${JOINER}`);
}

/** The same for what a model wrote, which may quote what it was sent: a token that is split already stays as it is. */
export function neutraliseOwnText(text: string): string {
  return text.replace(NOT_SPLIT, `$&${JOINER}`);
}

/** All texts in a value, such as the schema of a tool. Names of properties stay. */
export function neutraliseValue(value: JsonObject): JsonObject {
  return mapStrings(value, neutraliseControlTokens) as JsonObject;
}

/** The input of a tool call with the texts that the model quotes as they are in the files. */
export function restoreControlTokens(input: JsonObject): JsonObject {
  return mapStrings(input, (text) => text.replace(SPLIT, '$1')) as JsonObject;
}

function mapStrings(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapStrings(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, map)]));
}
