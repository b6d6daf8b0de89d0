import { parseJson, type JsonObject } from '../../../util/json';
import { JsonBalance } from './jsonBalance';
import { readJsonBody } from './literalCalls';
import { readJsonCall, skipSpace, type FoundCalls, type TextCall } from './textCall';

/** The outer tag of Hermes (JSON), Qwen3-Coder (function tags) and GLM (a name and key-value tags). */
export function readToolCallTag(markup: string, isEnd: boolean): FoundCalls | undefined {
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
  // The closing tag shows that the call is complete. Only brackets may be missing.
  const closing = markup.indexOf(close, bodyStart);
  const body = markup.slice(bodyStart, closing === -1 ? markup.length : closing);
  const call = readJsonCall(body) ?? (isEnd ? nameOnly(body) : undefined);
  return call && { calls: [call], end: closing === -1 ? markup.length : closing + close.length };
}

/**
 * Qwen3-Coder: `<function=name><parameter=key>value</parameter></function>`; closing tags may be missing. Functionary and
 * Llama: `<function=name>{…}</function>`.
 */
export function readFunctionTags(markup: string, isEnd: boolean): FoundCalls | undefined {
  const hasJson = /^(?:<tool_call>\s*)?<function=[^>\n]+>\s*\{/.test(markup);
  if (!isEnd && !hasJson && !FUNCTION_CLOSED.test(markup)) return undefined;
  const calls: TextCall[] = [];
  let end = 0;
  const head = /\s*(?:<tool_call>\s*)?<function=([^>\n]+)>\s*/y;
  const tail = /(?:<\/function>)?(?:\s*<\/tool_call>)?/y;
  for (;;) {
    head.lastIndex = end;
    const name = head.exec(markup)?.[1];
    if (name === undefined) break;
    end = head.lastIndex;
    if (markup[end] === '{') {
      const length = new JsonBalance().feed(markup.slice(end));
      if (length === -1) return undefined;
      calls.push({ name: name.trim(), arguments: markup.slice(end, end + length) });
      end = skipSpace(markup, end + length);
      tail.lastIndex = end;
      if (tail.test(markup)) end = tail.lastIndex;
      continue;
    }
    const pairs: [string, string][] = [];
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
  // A closing tag counts where the next part of the call follows. Otherwise it is part of the value.
  const closed =
    /<parameter=([^>\n]+)>([^]*?)<\/parameter>\s*(?=<parameter=|<\/function>|<\/tool_call>|<tool_call>|<function=|$)/y;
  const open = /<parameter=([^>\n]+)>([^]*?)(?=\n<parameter=|\n?<\/function>|\n?<\/tool_call>|$)\s*/y;
  for (const pattern of [closed, open]) {
    pattern.lastIndex = from;
    const [whole, key, value = ''] = pattern.exec(markup) ?? [];
    if (whole === undefined || key === undefined) continue;
    // That closing tag belongs to the next parameter. This one has none.
    if (pattern === closed && value.includes('\n<parameter=') && !value.includes('</parameter>')) continue;
    return { pair: [key.trim(), withoutOuterLineBreaks(value)], end: pattern.lastIndex };
  }
  return undefined;
}

/** A closing tag counts after the last parameter is closed. Before, it is part of the value. */
const FUNCTION_CLOSED = /(?:<\/parameter>|<function=[^<>\n]*>)\s*(?:<\/function>\s*)?(?:<\/tool_call>)?$/;

/** A prefix of tags: the bars of DeepSeek, and `atem:` of Muse. */
const PREFIX = String.raw`(?:[|｜]{1,2}DSML[|｜]{1,2}|atem:)?`;

/**
 * `<invoke name="…"><parameter name="key">value</parameter></invoke>`, alone or in a wrapper (DeepSeek, MiniMax, Muse). Some models write
 * JSON in the place of the parameters.
 */
export function readInvokes(markup: string): FoundCalls | undefined {
  const invokes = readNamedTags(markup, 'invoke', /<|$/y);
  const calls: TextCall[] = [];
  for (const { name, value } of invokes) {
    const body = value.trim();
    const isJson = body.startsWith('{') && parseJson(body) !== undefined;
    const parameters = readNamedTags(body, 'parameter', new RegExp(`<${PREFIX}parameter name=|$`, 'y'));
    // Text beside the parameters: the closing tag of the call stands inside a value.
    if (!isJson && textBeside(body, parameters) !== '') return undefined;
    const pairs = parameters.map((each) => [each.name.trim(), withoutOuterLineBreaks(each.value)] as const);
    calls.push({ name, arguments: isJson ? body : Object.fromEntries(pairs) });
  }
  const last = invokes.at(-1);
  if (last === undefined) return undefined;
  const wrapper = new RegExp(String.raw`\s*</(?:${PREFIX}(?:function|tool)_calls|minimax:tool_call)>`, 'y');
  wrapper.lastIndex = last.end;
  return { calls, end: wrapper.test(markup) ? wrapper.lastIndex : last.end };
}

interface NamedTag {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Every `<tag name="…">value</tag>`. A closing tag counts where, after white space, `follows` matches; otherwise it is part of the value.
 * Takes time in proportion to the text, which may be an attack.
 */
function readNamedTags(text: string, tag: string, follows: RegExp): readonly NamedTag[] {
  const head = new RegExp(String.raw`<${PREFIX}${tag} name="?([^"<>]{1,200})"?[^<>]{0,200}>`, 'g');
  const close = new RegExp(String.raw`(</${PREFIX}${tag}>)\s*`, 'g');
  const found: NamedTag[] = [];
  for (let match = head.exec(text); match; match = head.exec(text)) {
    close.lastIndex = head.lastIndex;
    let closing = close.exec(text);
    while (closing) {
      follows.lastIndex = close.lastIndex;
      if (follows.test(text)) break;
      closing = close.exec(text);
    }
    // Then no later tag is closed either.
    if (!closing) break;
    const value = text.slice(head.lastIndex, closing.index);
    const end = closing.index + (closing[1] ?? '').length;
    found.push({ name: match[1] ?? '', value, start: match.index, end });
    head.lastIndex = end;
  }
  return found;
}

/** The text outside the tags, without white space around it. */
function textBeside(text: string, tags: readonly NamedTag[]): string {
  return tags
    .map(({ start }, index) => text.slice(tags[index - 1]?.end ?? 0, start).trim())
    .concat(text.slice(tags.at(-1)?.end ?? 0).trim())
    .join('');
}

/** MiniCPM: `<function name="read_file"><param name="path">a.ts</param></function>`, with CDATA around a value of several lines. */
export function readNamedFunctions(markup: string): FoundCalls | undefined {
  const calls: TextCall[] = [];
  const head = /\s*<function name="([^">\n]+)">\s*/y;
  const parameter =
    /<param name="([^">\n]+)">(?:<!\[CDATA\[([^]*?)\]\]>|([^]*?))<\/param>\s*(?=<param name=|<\/function>)/y;
  const tail = /<\/function>/y;
  for (let end = 0; ; end = tail.lastIndex) {
    head.lastIndex = end;
    const name = head.exec(markup)?.[1];
    const before = { calls, end };
    if (name === undefined) return calls.length === 0 ? undefined : before;
    const pairs: [string, string][] = [];
    let at = head.lastIndex;
    for (;;) {
      parameter.lastIndex = at;
      const match = parameter.exec(markup);
      if (!match) break;
      pairs.push([match[1] ?? '', match[2] ?? match[3] ?? '']);
      at = parameter.lastIndex;
    }
    tail.lastIndex = at;
    if (!tail.test(markup)) return calls.length === 0 ? undefined : before;
    calls.push({ name, arguments: Object.fromEntries(pairs) });
  }
}

/**
 * A tag around JSON or around calls of another tag: `<tool_calls>` (Apriel, MiniMax M1, GigaChat), `<seed:tool_call>`,
 * `<TOOLCALL>` (Nemotron), `<|START_ACTION|>` (Command), `<|tool_call|>` (Granite).
 */
export function readWrapper(
  markup: string,
  isEnd: boolean,
  { text: open, close }: { readonly text: string; readonly close: string },
): FoundCalls | undefined {
  const bodyStart = skipSpace(markup, open.length);
  const endOf = (end: number): number => {
    const after = skipSpace(markup, end);
    return markup.startsWith(close, after) ? after + close.length : end;
  };
  // Servers that read the calls may leave their tags.
  if (bodyStart === markup.length || markup.startsWith(close, bodyStart)) return { calls: [], end: endOf(bodyStart) };
  const json = readJsonBody(markup, bodyStart);
  if (json) return isEnd || endOf(json.end) > json.end ? { calls: json.calls, end: endOf(json.end) } : undefined;
  const calls: TextCall[] = [];
  let end = bodyStart;
  for (;;) {
    const start = skipSpace(markup, end);
    const rest = markup.slice(start);
    const read = INNER.find(([open]) => rest.startsWith(open))?.[1];
    const found = read?.(rest, true);
    if (!found) break;
    calls.push(...found.calls);
    end = start + found.end;
  }
  if (calls.length === 0 || (!isEnd && endOf(end) === end)) return undefined;
  return { calls, end: endOf(end) };
}

const INNER: readonly (readonly [string, (markup: string, isEnd: boolean) => FoundCalls | undefined])[] = [
  ['<tool_call>', readToolCallTag],
  ['<function=', readFunctionTags],
  ['<invoke name=', readInvokes],
];

/** Key and value of every match. The line breaks next to the tags are not part of the value. */
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

/** A call with unreadable JSON, with the text of its arguments. The model is told what is wrong with them. */
function nameOnly(body: string): TextCall | undefined {
  const head = /^\{\s*["']name["']\s*:\s*["']([^"']+)["'][,\s]*(?:["'](?:arguments|parameters)["']\s*:)?/.exec(body);
  return head?.[1] === undefined ? undefined : { name: head[1], arguments: body.slice(head[0].length) };
}
