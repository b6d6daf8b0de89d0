import { isJsonObject, type JsonObject } from '../../../util/json';
import { readHarmonyCalls } from './harmonyCalls';
import { JsonBalance } from './jsonBalance';
import { beginsBlank } from '../stream/markers';
import { parseToolArguments } from './toolArguments';

/** A call found in text. `arguments` is JSON text, still to be parsed, or what was read from tags. */
export interface TextCall {
  readonly name: string;
  readonly arguments: string | JsonObject;
}

/** Calls at the beginning of a text, and where the text after them begins. */
export interface FoundCalls {
  readonly calls: readonly TextCall[];
  readonly end: number;
}

/** A way in which models write tool calls into their text. */
export interface TextCallFormat {
  /** What a call begins with. */
  readonly text: string;
  /** What it ends with; `undefined`: only its content tells, or the end of the answer. */
  readonly close: string | undefined;
  /** A special token of the model's vocabulary, which may follow text on the same line. */
  readonly isToken?: boolean;
  /** Only means something right after a call. */
  readonly isRemnant?: boolean;
  /**
   * Reads the calls at the beginning of `markup`, which begins with `text`. Before the end of the answer `markup` ends
   * with a closing tag, and what is not complete there gives `undefined`: the tag may stand inside an argument.
   */
  read(markup: string, isEnd: boolean): FoundCalls | undefined;
}

/** A new format is a new entry. Formats that begin with another's beginning come first. */
export const TEXT_CALL_FORMATS: readonly TextCallFormat[] = [
  { text: '<tool_call>', close: '</tool_call>', read: readToolCallTag },
  { text: '<function=', close: '</function>', read: readFunctionTags },
  { text: '[TOOL_CALLS]', close: undefined, isToken: true, read: readMistral },
  { text: '<|python_tag|>', close: undefined, isToken: true, read: readPythonTag },
  { text: '<|tool_calls_section_begin|>', close: '<|tool_calls_section_end|>', isToken: true, read: readKimi },
  { text: '<|tool_call_begin|>', close: '<|tool_call_end|>', isToken: true, read: readKimi },
  { text: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>', isToken: true, read: readDeepSeek },
  { text: '<｜tool▁call▁begin｜>', close: '<｜tool▁call▁end｜>', isToken: true, read: readDeepSeek },
  { text: '<｜DSML｜function_calls>', close: '</｜DSML｜function_calls>', isToken: true, read: readInvokes },
  { text: '<|end|><|start|>assistant', close: '<|call|>', isToken: true, read: readHarmonyCalls },
  { text: '<|start|>assistant', close: '<|call|>', read: readHarmonyCalls },
  { text: '<|channel|>commentary', close: '<|call|>', read: readHarmonyCalls },
  { text: '<minimax:tool_call>', close: '</minimax:tool_call>', read: readInvokes },
  { text: '<function_calls>', close: '</function_calls>', read: readInvokes },
  { text: '<invoke name=', close: '</invoke>', read: readInvokes },
  // What is left of a call whose opening tag was missing; it means nothing anywhere else.
  { text: '</tool_call>', close: '', isRemnant: true, read: () => ({ calls: [], end: '</tool_call>'.length }) },
];

/**
 * Reads an answer that is nothing but one call as JSON, fenced or bare: `{"name": "read_file", "arguments": {…}}`.
 */
export function readWholeAnswer(answer: string): TextCall | undefined {
  const body = /^```\w*\s*\n([^]*?)\n?\s*```$/.exec(answer.trim())?.[1] ?? answer;
  const parsed = parseToolArguments(body, { lenient: true });
  return parsed.ok ? callIn(parsed.input) : undefined;
}

/**
 * Whether the beginning of an answer may become one that `readWholeAnswer` reads: `open` as long as it is too short to
 * tell.
 */
export function looksLikeWholeAnswer(beginning: string): 'open' | 'yes' | 'no' {
  if (beginsBlank(beginning)) return 'no';
  const rest = beginning.trimStart();
  if ('```'.startsWith(rest)) return 'open';
  const fence = /^```([a-z_]*)[ \t\r]*(\n?)/.exec(rest);
  if (fence) {
    if (fence[2] === '') return fence[0].length === rest.length && rest.length < 16 ? 'open' : 'no';
    if (!['', 'json', 'tool_call', 'tool_code', 'tool'].includes(fence[1] ?? '')) return 'no';
  }
  const body = rest.slice(fence?.[0].length ?? 0);
  const json = body.trimStart();
  if (beginsBlank(body) || beginsBlank(json.slice(1))) return 'no';
  if (json === '') return 'open';
  const key = /^\{\s*(?:"(\w*)("?))?/.exec(json);
  if (!key) return 'no';
  const [head, name, quote] = key;
  if (name === undefined) return head.length === json.length ? 'open' : 'no';
  if (quote !== '') return CALL_KEYS.includes(name) ? 'yes' : 'no';
  return head.length === json.length && CALL_KEYS.some((known) => known.startsWith(name)) ? 'open' : 'no';
}

const CALL_KEYS = ['name', 'tool', 'tool_name', 'function', 'type', 'arguments', 'parameters', 'id'];

/** Hermes (JSON), Qwen3-Coder (function tags) and GLM (a name and key-value tags) share the outer tag. */
function readToolCallTag(markup: string, isEnd: boolean): FoundCalls | undefined {
  const open = '<tool_call>';
  const bodyStart = skipSpace(markup, open.length);
  if (markup.startsWith('<function=', bodyStart)) return readFunctionTags(markup, isEnd);
  if (markup.startsWith('{', bodyStart)) return readHermes(markup, bodyStart, isEnd);
  const closing = markup.lastIndexOf('</tool_call>');
  const end = closing === -1 ? markup.length : closing;
  const body = markup.slice(bodyStart, end);
  const name = /^[\w.:-]+/.exec(body)?.[0];
  const rest = body.slice(name?.length ?? 0).trim();
  if (name === undefined || (rest !== '' && !/^<arg_key>[^]*<\/arg_value>$/.test(rest))) return undefined;
  const input = readPairs(rest, /<arg_key>([^]*?)<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>(?=\s*(?:<arg_key>|$))/g);
  return { calls: [{ name, arguments: input }], end: closing === -1 ? end : end + '</tool_call>'.length };
}

function readHermes(markup: string, bodyStart: number, isEnd: boolean): FoundCalls | undefined {
  const close = '</tool_call>';
  const length = new JsonBalance().feed(markup.slice(bodyStart));
  if (length !== -1) {
    const call = readJsonCall(markup.slice(bodyStart, bodyStart + length));
    if (!call) return undefined;
    const afterBody = skipSpace(markup, bodyStart + length);
    if (markup.startsWith(close, afterBody)) return { calls: [call], end: afterBody + close.length };
    return isEnd || markup.startsWith('<tool_call>', afterBody)
      ? { calls: [call], end: bodyStart + length }
      : undefined;
  }
  // The closing tag proves that the model was done; only brackets may be missing before it.
  const closing = markup.indexOf(close, bodyStart);
  const body = markup.slice(bodyStart, closing === -1 ? markup.length : closing);
  const call = readJsonCall(body) ?? (isEnd ? nameOnly(body) : undefined);
  return call && { calls: [call], end: closing === -1 ? markup.length : closing + close.length };
}

/** Qwen3-Coder: `<function=name><parameter=key>value</parameter></function>`; closing tags may be missing. */
function readFunctionTags(markup: string, isEnd: boolean): FoundCalls | undefined {
  if (!isEnd && !FUNCTION_CLOSED.test(markup)) return undefined;
  const calls: TextCall[] = [];
  let end = 0;
  const head = /\s*(?:<tool_call>\s*)?<function=([^>\n]+)>\s*/y;
  const tail = /(?:<\/function>)?(?:\s*<\/tool_call>)?/y;
  for (;;) {
    head.lastIndex = end;
    const name = head.exec(markup)?.[1];
    if (name === undefined) break;
    const pairs: [string, string][] = [];
    end = head.lastIndex;
    for (;;) {
      const parameter = readParameter(markup, end);
      if (!parameter) break;
      pairs.push(parameter.pair);
      end = parameter.end;
    }
    tail.lastIndex = end;
    if (tail.test(markup)) end = tail.lastIndex;
    calls.push({ name: name.trim(), arguments: Object.fromEntries(pairs) });
  }
  return calls.length === 0 ? undefined : { calls, end };
}

function readParameter(
  markup: string,
  from: number,
): { readonly pair: [string, string]; readonly end: number } | undefined {
  // Closed where something of the call follows; tags in a value are followed by more of the value.
  const closed =
    /<parameter=([^>\n]+)>([^]*?)<\/parameter>\s*(?=<parameter=|<\/function>|<\/tool_call>|<tool_call>|<function=|$)/y;
  const open = /<parameter=([^>\n]+)>([^]*?)(?=\n<parameter=|\n?<\/function>|\n?<\/tool_call>|$)\s*/y;
  for (const pattern of [closed, open]) {
    pattern.lastIndex = from;
    const [whole, key, value = ''] = pattern.exec(markup) ?? [];
    if (whole === undefined || key === undefined) continue;
    // The end of the next parameter, not of this one, which has none.
    if (pattern === closed && value.includes('\n<parameter=') && !value.includes('</parameter>')) continue;
    return { pair: [key.trim(), withoutOuterLineBreaks(value)], end: pattern.lastIndex };
  }
  return undefined;
}

/** A closing tag counts once the last parameter, if there is one, is closed: before, it is part of the value. */
const FUNCTION_CLOSED = /(?:<\/parameter>|<function=[^>\n]*>)\s*(?:<\/function>\s*)?(?:<\/tool_call>)?$/;

/** Mistral: `[TOOL_CALLS][{"name":…,"arguments":{…}}]`, or of late `[TOOL_CALLS]name[ARGS]{…}`, repeated. */
function readMistral(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  const head = /\s*\[TOOL_CALLS\]\s*([\w.-]*)(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?\s*/y;
  for (;;) {
    head.lastIndex = end;
    const match = head.exec(markup);
    if (!match) break;
    const json = jsonAt(markup, head.lastIndex);
    if (json === undefined) break;
    const name = match[1] ?? '';
    const found = name === '' ? readJsonCalls(json) : [{ name, arguments: json }];
    if (found.length === 0) break;
    calls.push(...found);
    end = head.lastIndex + json.length;
  }
  return calls.length === 0 ? undefined : { calls, end };
}

/** Llama: `<|python_tag|>{"name":…,"parameters":{…}}`, several separated by semicolons. */
function readPythonTag(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let position = '<|python_tag|>'.length;
  let end = position;
  for (;;) {
    const json = jsonAt(markup, skipSpace(markup, position));
    const call = json === undefined ? undefined : readJsonCall(json);
    if (json === undefined || !call) break;
    calls.push(call);
    end = skipSpace(markup, position) + json.length;
    const separator = /\s*;/y;
    separator.lastIndex = end;
    position = separator.test(markup) ? separator.lastIndex : end;
  }
  const token = /\s*<\|(?:eom_id|eot_id)\|>/y;
  token.lastIndex = end;
  if (token.test(markup)) end = token.lastIndex;
  return calls.length === 0 ? undefined : { calls, end };
}

/** Kimi: `<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, perhaps in a section. */
function readKimi(markup: string): FoundCalls | undefined {
  return readTokenCalls(
    markup,
    /<\|tool_call_begin\|>\s*([^<]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>\s*/g,
    /\s*(?:<\|tool_call_end\|>\s*)?(?:<\|tool_calls_section_end\|>)?/y,
  );
}

/** DeepSeek: `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`, older ones with a type and a fence. */
function readDeepSeek(markup: string): FoundCalls | undefined {
  return readTokenCalls(
    markup,
    /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?\s*([\w.:-]+)\s*(?:<｜tool▁sep｜>|\n)?\s*(?:```(?:json)?\s*)?/g,
    /\s*(?:```\s*)?(?:<｜tool▁call▁end｜>\s*)?(?:<｜tool▁calls▁end｜>)?/y,
  );
}

function readTokenCalls(markup: string, head: RegExp, tail: RegExp): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  for (let match = head.exec(markup); match; match = head.exec(markup)) {
    const json = jsonAt(markup, head.lastIndex);
    if (json === undefined) return undefined;
    calls.push({ name: match[1] ?? '', arguments: json });
    tail.lastIndex = head.lastIndex + json.length;
    end = tail.test(markup) ? tail.lastIndex : head.lastIndex + json.length;
    head.lastIndex = end;
  }
  return calls.length === 0 ? undefined : { calls, end };
}

/** `<invoke name="…"><parameter name="key">value</parameter></invoke>`, alone or in a wrapper (DeepSeek, MiniMax). */
function readInvokes(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  let end = 0;
  const block = /<(?:｜DSML｜)?invoke name="?([^">]+)"?[^>]*>([^]*?)<\/(?:｜DSML｜)?invoke>(?=\s*(?:<|$))/g;
  for (let match = block.exec(markup); match; match = block.exec(markup)) {
    const [, name = '', body = ''] = match;
    const input = readPairs(
      body,
      /<(?:｜DSML｜)?parameter name="?([^">]+)"?[^>]*>([^]*?)<\/(?:｜DSML｜)?parameter>\s*(?=<(?:｜DSML｜)?parameter name=|$)/g,
    );
    // A parameter without its end: the tag that seemed to close the call stands inside its value.
    if ((body.match(/parameter name=/g)?.length ?? 0) > 0 && Object.keys(input).length === 0) return undefined;
    calls.push({ name, arguments: input });
    end = block.lastIndex;
  }
  if (calls.length === 0) return undefined;
  const wrapper = /\s*<\/(?:｜DSML｜function_calls|minimax:tool_call|function_calls)>/y;
  wrapper.lastIndex = end;
  return { calls, end: wrapper.test(markup) ? wrapper.lastIndex : end };
}

/** Key and value of every match. The line breaks that set a value off from its tags do not belong to it. */
function readPairs(text: string, pattern: RegExp): JsonObject {
  const pairs: [string, string][] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, key = '', value = ''] = match;
    if (whole !== '') pairs.push([key.trim(), withoutOuterLineBreaks(value)]);
  }
  return Object.fromEntries(pairs);
}

function withoutOuterLineBreaks(value: string): string {
  return value.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** The JSON object or array that begins at `from`, up to its closing bracket. */
function jsonAt(text: string, from: number): string | undefined {
  if (text[from] !== '{' && text[from] !== '[') return undefined;
  const length = new JsonBalance().feed(text.slice(from));
  return length === -1 ? undefined : text.slice(from, from + length);
}

function readJsonCall(json: string): TextCall | undefined {
  const parsed = parseToolArguments(json, { lenient: true });
  return parsed.ok ? callIn(parsed.input) : undefined;
}

function readJsonCalls(json: string): readonly TextCall[] {
  const parsed = parseToolArguments(`{"calls":${json}}`, { lenient: true });
  if (!parsed.ok) return [];
  const list = parsed.input['calls'];
  const calls = (Array.isArray(list) ? list : [list]).filter(isJsonObject).map(callIn);
  return calls.filter((call) => call !== undefined);
}

function callIn(value: JsonObject): TextCall | undefined {
  const inner = isJsonObject(value['function']) ? value['function'] : value;
  const name = inner['name'] ?? inner['tool'] ?? inner['tool_name'] ?? inner['function'];
  const input = inner['arguments'] ?? inner['parameters'] ?? inner['input'] ?? {};
  if (typeof name !== 'string' || (typeof input !== 'string' && !isJsonObject(input))) return undefined;
  return { name, arguments: input };
}

/** A call whose JSON is beyond reading: the text of its arguments, so that the model is told what was wrong with them. */
function nameOnly(body: string): TextCall | undefined {
  const head = /^\{\s*["']name["']\s*:\s*["']([^"']+)["'][,\s]*(?:["'](?:arguments|parameters)["']\s*:)?/.exec(body);
  return head?.[1] === undefined ? undefined : { name: head[1], arguments: body.slice(head[0].length) };
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index] as string)) index++;
  return index;
}
